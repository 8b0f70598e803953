package io.weir.sql;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.sql.catalog.DefinedAggregate;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.catalog.Streams;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.grammar.ParsedStatement.Listed;
import io.weir.sql.plan.AggregateClause;
import io.weir.sql.plan.QueryPlanner;
import io.weir.sql.plan.SelectInput;
import io.weir.sql.sys.SysNames;
import io.weir.sql.sys.SysSelect;
import io.weir.sql.validate.Binding;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Plans one statement, against the catalogue as the earlier statements leave it. */
final class StatementPlanner {
    private final Binding binding;
    private final MapCatalog catalog;
    private final SelectInput selecting;

    StatementPlanner(Binding binding, MapCatalog catalog, SelectInput selecting) {
        this.binding = binding;
        this.catalog = catalog;
        this.selecting = selecting;
    }

    /**
     * @param first where the statement begins
     */
    Statement plan(ParsedStatement parsed, String sql, SqlParserPos first) {
        if (parsed instanceof ParsedStatement.Query query) {
            return SysSelect.of(binding, query, sql, first)
                    .map(StatementPlanner::sys)
                    .orElseGet(() -> new Statement.Select(select(query, sql)));
        } else if (parsed instanceof ParsedStatement.Create create) {
            return create(create, sql);
        } else if (parsed instanceof ParsedStatement.Drop drop) {
            return drop(drop);
        } else if (parsed instanceof ParsedStatement.Show show) {
            return show(show.listed());
        } else if (parsed instanceof ParsedStatement.Describe describe) {
            return describe(describe.name());
        } else if (parsed instanceof ParsedStatement.Explain explain) {
            return explain(explain, sql);
        } else if (parsed instanceof ParsedStatement.ExplainName explain) {
            return new Statement.Explain(query(explain.name()), explain.kernel());
        }
        if (parsed instanceof ParsedStatement.CreateAggregate create) {
            return create(create, sql);
        } else if (parsed instanceof ParsedStatement.DropAggregate drop) {
            return drop(drop);
        } else if (parsed instanceof ParsedStatement.CreateSource create) {
            return new SourceClause(binding).of(create);
        } else if (parsed instanceof ParsedStatement.DropSource drop) {
            return new Statement.DropSource(drop.name().getSimple(), drop.ifExists());
        }
        if (parsed instanceof ParsedStatement.CreateTable create) {
            return new TableStatements(binding, catalog).create(create, sql);
        } else if (parsed instanceof ParsedStatement.DropTable drop) {
            return new TableStatements(binding, catalog).drop(drop);
        } else if (parsed instanceof ParsedStatement.Test test) {
            return test(test, sql);
        } else if (parsed instanceof ParsedStatement.Analyze analyze) {
            Query query = tested(analyze.name(), analyze.query(), sql);
            return new Statement.Analyze(query, analyze.name() != null);
        } else if (parsed instanceof ParsedStatement.Pause pause) {
            String name = query(pause.name()).name();
            return pause.resumes()
                    ? new Statement.ResumeQuery(name)
                    : new Statement.PauseQuery(name);
        }
        SqlIdentifier name = ((ParsedStatement.Subscribe) parsed).name();
        return new Statement.Subscribe(query(name).name());
    }

    static Statement show(Listed listed) {
        return switch (listed) {
            case QUERIES -> new Statement.ShowQueries();
            case STREAMS -> new Statement.ShowStreams();
            case FUNCTIONS -> new Statement.ShowFunctions();
            case AGGREGATES -> new Statement.ShowAggregates();
            case ACCOUNT -> new Statement.ShowAccount();
            case EVENTS -> new Statement.ShowEvents();
            case SOURCES -> new Statement.ShowSources();
            case BINDINGS -> new Statement.ShowBindings();
            case TABLES -> new Statement.ShowTables();
            case WORKERS -> new Statement.ShowWorkers();
            case AUDIT -> new Statement.ShowAudit();
            case QUERY_COST -> new Statement.ShowQueryCost();
            case LOSS -> new Statement.ShowLoss();
        };
    }

    private static Statement sys(SysSelect select) {
        return new Statement.SelectSys(
                select,
                select.tables().stream()
                        .collect(Collectors.toMap(SysNames::name, StatementPlanner::show)));
    }

    private Statement test(ParsedStatement.Test test, String sql) {
        Query query = tested(test.name(), test.query(), sql);
        return new Statement.TestQuery(query, file(test.capture()), file(test.rows()));
    }

    private Query tested(SqlIdentifier name, ParsedStatement.Query parsed, String sql) {
        return name == null ? planner().plan(unnamed(), parsed, sql) : query(name);
    }

    private static String file(SqlNode literal) {
        return ((SqlLiteral) literal).getValueAs(String.class);
    }

    private QueryPlanner planner() {
        return new QueryPlanner(binding, catalog, SelectInput.STREAM);
    }

    /** Plans a query to run now. Its input may be at rest. */
    private Query select(ParsedStatement.Query parsed, String sql) {
        return new QueryPlanner(binding, catalog, selecting).plan(unnamed(), parsed, sql);
    }

    /** Returns a name for a query without one, which no query has. */
    private String unnamed() {
        String name = "query";
        for (int n = 2; catalog.find(name).isPresent(); n++) {
            name = "query_" + n;
        }
        return name;
    }

    private Statement create(ParsedStatement.Create create, String sql) {
        String name = checkedName(create);
        Query query = planner().plan(name, create.query(), sql);
        catalog.find(name)
                .ifPresent(
                        old ->
                                new Dependents(binding, catalog)
                                        .checkReplaced(create.name(), old, query));
        catalog.put(query);
        return new Statement.CreateQuery(query, create.orReplace());
    }

    private Statement create(ParsedStatement.CreateAggregate create, String sql) {
        DefinedAggregate aggregate = new AggregateClause(binding).of(create, sql);
        if (!create.orReplace() && catalog.aggregate(aggregate.name()).isPresent()) {
            throw error(
                    ErrorCode.INVALID_QUERY,
                    create.name(),
                    "there is an aggregate " + aggregate.name() + " already",
                    "use CREATE OR REPLACE AGGREGATE, or DROP AGGREGATE " + aggregate.name());
        }
        catalog.put(aggregate);
        return new Statement.CreateAggregate(aggregate, create.orReplace());
    }

    /** Queries that call it go on: their plans have its fold. */
    private Statement drop(ParsedStatement.DropAggregate drop) {
        String name = drop.name().getSimple();
        boolean exists = catalog.aggregate(name).isPresent();
        if (!exists && !drop.ifExists()) {
            List<String> names = catalog.aggregates().stream().map(DefinedAggregate::name).toList();
            throw error(
                    ErrorCode.UNKNOWN_FUNCTION,
                    drop.name(),
                    "there is no aggregate " + name,
                    Suggestion.hint(name, names, "SHOW AGGREGATES lists them"));
        }
        catalog.removeAggregate(name);
        return new Statement.DropAggregate(name, exists);
    }

    private String checkedName(ParsedStatement.Create create) {
        String name = create.name().getSimple();
        if (SubQueryNames.isOne(name)) {
            throw error(
                    ErrorCode.INVALID_QUERY,
                    create.name(),
                    name + " would be the name of a sub-query",
                    "choose a name without $ before a number");
        } else if (Streams.isReserved(name) || catalog.table(name).isPresent()) {
            throw error(
                    ErrorCode.DUPLICATE_QUERY,
                    create.name(),
                    name
                            + " is the name of a "
                            + (Streams.isReserved(name) ? "stream" : "lookup table"),
                    "choose another name");
        } else if (!create.orReplace() && catalog.find(name).isPresent()) {
            throw error(
                    ErrorCode.DUPLICATE_QUERY,
                    create.name(),
                    "there is a query " + name + " already",
                    "use CREATE OR REPLACE QUERY, or DROP QUERY " + name);
        }
        return name;
    }

    private Statement drop(ParsedStatement.Drop drop) {
        String name = drop.name().getSimple();
        boolean exists = find(name).isPresent();
        if (!exists && !drop.ifExists()) {
            throw unknownQuery(drop.name());
        }
        if (exists) {
            new Dependents(binding, catalog).checkDropped(drop.name());
            catalog.remove(name);
        }
        return new Statement.DropQuery(name, exists);
    }

    private Statement describe(SqlIdentifier at) {
        if (SysNames.isOne(at)) {
            return new Statement.DescribeSys(show(SysSelect.listed(binding, at)));
        }
        Optional<String> table = Streams.named(at.names).filter(n -> catalog.table(n).isPresent());
        if (table.isPresent()) {
            return new Statement.Describe(table.get());
        }
        Streams streams = new Streams(catalog);
        Optional<String> name =
                Streams.named(at.names)
                        .filter(n -> !SubQueryNames.isOne(n) && streams.find(n).isPresent());
        return new Statement.Describe(name.orElseThrow(() -> unknownStream(at, streams)));
    }

    private WeirException unknownStream(SqlIdentifier at, Streams streams) {
        String name = Streams.named(at.names).orElse(String.join(".", at.names));
        return error(
                ErrorCode.UNKNOWN_STREAM,
                at,
                "there is no stream or query " + name,
                Suggestion.hint(name, streams.names(), "SHOW STREAMS lists them"));
    }

    private Statement explain(ParsedStatement.Explain explain, String sql) {
        if (explain.statement() instanceof ParsedStatement.CreateAggregate aggregate) {
            throw error(
                    ErrorCode.NOT_SUPPORTED,
                    aggregate.name(),
                    "an aggregate has no plan",
                    "EXPLAIN takes a query that calls it");
        }
        if (explain.statement() instanceof ParsedStatement.CreateSource source) {
            throw error(
                    ErrorCode.NOT_SUPPORTED,
                    source.name(),
                    "a source has no plan",
                    "EXPLAIN takes a query; SHOW SOURCES lists the sources");
        }
        if (explain.statement() instanceof ParsedStatement.CreateTable table) {
            throw error(
                    ErrorCode.NOT_SUPPORTED,
                    table.name(),
                    "a table has no plan",
                    "EXPLAIN takes a query; SHOW TABLES lists the tables");
        }
        if (explain.statement() instanceof ParsedStatement.Create create) {
            String name = checkedName(create);
            return new Statement.Explain(
                    planner().plan(name, create.query(), sql), explain.kernel());
        }
        ParsedStatement.Query query = (ParsedStatement.Query) explain.statement();
        return new Statement.Explain(select(query, sql), explain.kernel());
    }

    private Query query(SqlIdentifier name) {
        return find(name.getSimple()).orElseThrow(() -> unknownQuery(name));
    }

    /** Returns the query of this name, which is no sub-query. */
    private Optional<Query> find(String name) {
        return SubQueryNames.isOne(name) ? Optional.empty() : catalog.find(name);
    }

    private WeirException unknownQuery(SqlIdentifier at) {
        String name = at.getSimple();
        if (Streams.isReserved(name)) {
            return error(
                    ErrorCode.UNKNOWN_QUERY,
                    at,
                    name + " is the name of a stream, not of a query",
                    "streams are there by themselves: SELECT … FROM " + name);
        }
        return error(
                ErrorCode.UNKNOWN_QUERY,
                at,
                "there is no query " + name,
                Suggestion.hint(name, catalog.names(), "SHOW QUERIES lists them"));
    }

    private WeirException error(ErrorCode code, SqlIdentifier at, String message, String hint) {
        return binding.error(code, at, message, hint);
    }
}

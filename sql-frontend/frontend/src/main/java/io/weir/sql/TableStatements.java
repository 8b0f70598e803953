package io.weir.sql;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.catalog.Streams;
import io.weir.sql.catalog.TableSpec;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.plan.TablesRead;
import io.weir.sql.validate.Binding;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;

/** Plans CREATE TABLE and DROP TABLE, against the catalogue as earlier statements leave it. */
final class TableStatements {
    private final Binding binding;
    private final MapCatalog catalog;

    TableStatements(Binding binding, MapCatalog catalog) {
        this.binding = binding;
        this.catalog = catalog;
    }

    Statement create(ParsedStatement.CreateTable create, String sql) {
        String name = create.name().getSimple();
        Optional<LookupTable> before = catalog.table(name);
        if (Streams.isReserved(name) || catalog.find(name).isPresent()) {
            throw binding.error(
                    ErrorCode.DUPLICATE_QUERY,
                    create.name(),
                    name + " is the name of a stream or query",
                    "choose another name");
        } else if (before.isPresent() && !create.orReplace()) {
            throw binding.error(
                    ErrorCode.DUPLICATE_QUERY,
                    create.name(),
                    "there is a table " + name + " already",
                    "use CREATE OR REPLACE TABLE, or DROP TABLE " + name);
        }
        TableSpec spec = new TableClause(binding).of(create);
        LookupTable made = made(create, spec);
        if (before.isPresent() && before.get().schema().equals(made.schema())) {
            return new Statement.CreateTable(spec, before.get(), sql, true);
        } else if (before.isPresent()) {
            checkUnread(create.name(), "which would have other columns");
        }
        catalog.put(made);
        return new Statement.CreateTable(spec, made, sql, create.orReplace());
    }

    private LookupTable made(ParsedStatement.CreateTable create, TableSpec spec) {
        try {
            return catalog.newTable(spec);
        } catch (WeirException e) {
            String hint = e.hint().orElse(null);
            throw binding.error(e.code(), create.name(), e.getMessage(), hint);
        }
    }

    Statement drop(ParsedStatement.DropTable drop) {
        String name = drop.name().getSimple();
        boolean exists = catalog.table(name).isPresent();
        if (!exists && !drop.ifExists()) {
            throw binding.error(
                    ErrorCode.UNKNOWN_STREAM,
                    drop.name(),
                    "there is no table " + name,
                    Suggestion.hint(name, catalog.tableNames(), "SHOW TABLES lists them"));
        }
        if (exists) {
            checkUnread(drop.name(), "which is to be dropped");
            catalog.removeTable(name);
        }
        return new Statement.DropTable(name, exists);
    }

    private void checkUnread(SqlIdentifier name, String change) {
        List<String> readers =
                catalog.names().stream()
                        .flatMap(query -> catalog.find(query).stream())
                        .filter(query -> TablesRead.of(query).contains(name.getSimple()))
                        .map(Query::name)
                        .toList();
        if (!readers.isEmpty()) {
            String all = String.join(", ", readers);
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    name,
                    all + " reads " + name.getSimple() + ", " + change,
                    "drop " + all + " first");
        }
    }
}

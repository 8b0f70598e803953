package io.weir.operators.kernel.code;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.TableFunctions;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.sketch.SketchFolds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The parts of a query's operator tree.
 *
 * @param where the conjuncts of the filter below the aggregate
 * @param aggregate empty for a query of single rows
 * @param having over the aggregate's columns
 * @param outputs of single groups, or rows
 * @param over columns that are computed from several rows
 * @param sort what orders and limits each window's rows
 */
public record Plan(
        Query query,
        Operator.Scan scan,
        List<Expr> where,
        Optional<Operator.Aggregate> aggregate,
        Optional<Expr> having,
        List<Operator.Named> outputs,
        Optional<OverPart> over,
        Optional<Operator.Sort> sort) {
    /**
     * The operators from OVER up to the projection.
     *
     * @param qualify over the columns of OVER
     * @param outputs over the columns of OVER
     */
    public record OverPart(
            Operator.Over columns, Optional<Expr> qualify, List<Operator.Named> outputs) {}

    private static final int MOST_PANES = 4096;
    private static final int MOST_LEVELS = 200;

    private static final List<String> FIVE_TUPLE =
            List.of("src_addr", "dst_addr", "src_port", "dst_port", "proto");

    /**
     * Takes a query apart.
     *
     * @throws WeirException INVALID_QUERY or NOT_SUPPORTED if kernels cannot be made for it
     */
    public static Plan of(Query query) {
        Plan plan = unchecked(query);
        plan.check();
        return plan;
    }

    /** Takes a query apart that may be too large for kernels. */
    public static Plan unchecked(Query query) {
        return new Parts(query).plan();
    }

    /** Collects the parts on the way down the tree. */
    private static final class Parts {
        private final Query query;
        private Optional<Operator.Sort> sort = Optional.empty();
        private Operator next;

        Parts(Query query) {
            this.query = query;
            next = query.root();
        }

        Plan plan() {
            if (next instanceof Operator.Sort node) {
                sort = Optional.of(node);
                next = node.input();
            }
            Operator.Project project = project();
            Optional<Expr> above = filter();
            Optional<OverPart> over = Optional.empty();
            if (next instanceof Operator.Over columns) {
                over = Optional.of(new OverPart(columns, above, project.outputs()));
                next = columns.input();
                project = project();
                above = filter();
            }
            Optional<Operator.Aggregate> aggregate = Optional.empty();
            Optional<Expr> having = Optional.empty();
            Optional<Expr> condition = above;
            if (next instanceof Operator.Aggregate node) {
                aggregate = Optional.of(node);
                having = above;
                next = node.input();
                condition = filter();
            }
            List<Expr> where = new ArrayList<>();
            condition.ifPresent(c -> conjuncts(c, where));
            Operator.Scan scan = scan(query, next);
            return new Plan(query, scan, where, aggregate, having, project.outputs(), over, sort);
        }

        private Operator.Project project() {
            if (next instanceof Operator.Project project) {
                next = project.input();
                return project;
            }
            throw invalid(query, "the tree has no projection");
        }

        private Optional<Expr> filter() {
            if (next instanceof Operator.Filter node) {
                next = node.input();
                return Optional.of(node.condition());
            }
            return Optional.empty();
        }
    }

    private static Operator.Scan scan(Query query, Operator operator) {
        if (operator instanceof Operator.Scan scan) {
            return scan;
        }
        throw invalid(query, "no scan at the bottom");
    }

    private static void conjuncts(Expr condition, List<Expr> into) {
        if (condition instanceof Expr.Call call && call.function().equals(Functions.AND)) {
            call.arguments().forEach(argument -> conjuncts(argument, into));
        } else {
            into.add(condition);
        }
    }

    private void check() {
        int parts = 0;
        for (Expr expr : expressions()) {
            parts += size(expr, 0);
            if (parts > Query.MOST_PARTS) {
                throw tooLarge();
            }
        }
        if (strings().size() > Query.MOST_STRINGS) {
            throw new WeirException(
                    ErrorCode.TOO_MANY_STRINGS,
                    "the query has more than " + Query.MOST_STRINGS + " different strings",
                    "split it over several queries");
        }
        checkTables();
        Optional<Window> window = aggregate.flatMap(Operator.Aggregate::window);
        if (window.isPresent() && window.get().sizeNs() / window.get().paneNs() > MOST_PANES) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "a window of more than " + MOST_PANES + " panes",
                    "choose a slide that divides the size in fewer parts");
        }
        for (FoldCall call : folds()) {
            if (needsFlowKey(call) && !isKeyedByFlow()) {
                throw new WeirException(
                        ErrorCode.INVALID_QUERY,
                        call.fold().name() + " depends on the order of packets",
                        "group by " + String.join(", ", FIVE_TUPLE) + ": order is kept in a flow");
            }
            if (needsFlowKey(call) && window.isPresent() && window.get().panesPerWindow() > 1) {
                throw new WeirException(
                        ErrorCode.NOT_SUPPORTED,
                        call.fold().name() + " cannot be merged, so it has no HOP windows",
                        "use TUMBLE");
            }
        }
    }

    /** Only kernels look rows up: finishers have no readers of tables. */
    private void checkTables() {
        Map<Long, LookupTable> above = new LinkedHashMap<>();
        having.ifPresent(condition -> addTables(condition, above));
        if (aggregate.isPresent()) {
            outputs.forEach(output -> addTables(output.expr(), above));
        }
        if (!above.isEmpty()) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "a lookup in a table after the aggregates",
                    "add the column of the table to GROUP BY, and conditions on it to WHERE");
        }
    }

    private List<Expr> expressions() {
        List<Expr> all = new ArrayList<>(where);
        having.ifPresent(all::add);
        outputs.forEach(output -> all.add(output.expr()));
        for (OverPart part : over.stream().toList()) {
            part.qualify().ifPresent(all::add);
            part.outputs().forEach(output -> all.add(output.expr()));
            part.columns().calls().forEach(call -> all.addAll(call.arguments()));
        }
        keys().forEach(key -> all.add(key.expr()));
        for (FoldCall call : folds()) {
            all.addAll(call.arguments());
            call.filter().ifPresent(all::add);
        }
        return all;
    }

    /** Returns how many texts at most a row or packet makes that the query must keep. */
    public int textsPerRow() {
        List<Expr> kept = new ArrayList<>();
        keys().forEach(key -> kept.add(key.expr()));
        folds().forEach(call -> kept.addAll(call.arguments()));
        if (aggregate().isEmpty()) {
            outputs().forEach(output -> kept.add(output.expr()));
        }
        return (int)
                kept.stream()
                        .filter(expr -> expr.type().kind() == Kind.VARCHAR)
                        .filter(expr -> !readsGpvs() || expr instanceof Expr.Call)
                        .count();
    }

    /** Returns the different strings among the literals. */
    public List<String> strings() {
        Set<String> strings = new LinkedHashSet<>();
        expressions().forEach(expr -> addStrings(expr, strings));
        return List.copyOf(strings);
    }

    /** Returns the different lookup tables that kernels read. */
    public List<LookupTable> tables() {
        Map<Long, LookupTable> tables = new LinkedHashMap<>();
        expressions().forEach(expr -> addTables(expr, tables));
        return List.copyOf(tables.values());
    }

    private static void addTables(Expr expr, Map<Long, LookupTable> tables) {
        TableFunctions.table(expr).ifPresent(table -> tables.put(table.id(), table));
        if (expr instanceof Expr.Call call) {
            call.arguments().forEach(argument -> addTables(argument, tables));
        }
    }

    private static void addStrings(Expr expr, Set<String> strings) {
        if (expr instanceof Expr.Literal literal && literal.value() instanceof String text) {
            strings.add(text);
        } else if (expr instanceof Expr.Call call) {
            call.arguments().forEach(argument -> addStrings(argument, strings));
        }
    }

    /** Checks that one more expression is small enough to compile. */
    public static void check(Expr expr) {
        if (size(expr, 0) > Query.MOST_PARTS) {
            throw tooLarge();
        }
    }

    /**
     * Counts the parts of an expression. The compiler recurses into them, and Janino takes
     * quadratic time.
     */
    private static int size(Expr expr, int level) {
        if (level > MOST_LEVELS) {
            throw tooLarge();
        }
        int parts = 1;
        if (expr instanceof Expr.Call call) {
            for (Expr argument : call.arguments()) {
                parts += size(argument, level + 1);
            }
        }
        return parts;
    }

    /** Makes the error for a query with too many parts. */
    public static WeirException tooLarge() {
        return new WeirException(
                ErrorCode.NOT_SUPPORTED,
                "the query's expressions are too large to be compiled",
                "split them over several queries");
    }

    private static WeirException invalid(Query query, String why) {
        return new WeirException(ErrorCode.INVALID_QUERY, "query " + query.name() + ": " + why);
    }

    /** Returns whether a fold's state cannot be merged with another's. */
    static boolean needsFlowKey(FoldCall call) {
        return call.fold().ordered() || call.fold().merge().isEmpty();
    }

    /** Returns whether a fold's state is updated packet by packet in memory, never in locals. */
    static boolean updatesInPlace(FoldCall call) {
        return needsFlowKey(call) || SketchFolds.isOne(call.fold());
    }

    /** Returns whether the states of a group can be merged. */
    public boolean isMergeable() {
        return folds().stream().noneMatch(Plan::needsFlowKey);
    }

    private boolean isKeyedByFlow() {
        List<String> keys = new ArrayList<>();
        for (Operator.Named key : keys()) {
            if (key.expr() instanceof Expr.Variable variable) {
                keys.add(variable.name());
            }
        }
        return keys.containsAll(FIVE_TUPLE);
    }

    public List<Operator.Named> keys() {
        return aggregate.map(Operator.Aggregate::keys).orElse(List.of());
    }

    public List<FoldCall> folds() {
        return aggregate.map(Operator.Aggregate::folds).orElse(List.of());
    }

    /**
     * Returns the columns of a row that is made from one group, or one row that is read. The
     * columns of OVER are among them, and are filled in later.
     */
    public List<Expr.Variable> made() {
        return over.map(part -> part.columns().columns())
                .orElse(outputs.stream().map(Operator.Named::column).toList());
    }

    /** Returns whether kernels read GPVs. Otherwise they read batches of rows. */
    public boolean readsGpvs() {
        return scan.type().comesAsGpvs();
    }

    public boolean hasWhen() {
        return query.when().isPresent();
    }

    public boolean hasWindow() {
        return aggregate.isPresent() && aggregate.get().window().isPresent();
    }

    /** Returns the names of the scan's columns that the query depends on, in alphabetical order. */
    public Set<String> columnsRead() {
        Set<String> names = new TreeSet<>();
        where.forEach(e -> addColumns(e, names));
        keys().forEach(k -> addColumns(k.expr(), names));
        for (FoldCall call : folds()) {
            call.arguments().forEach(a -> addColumns(a, names));
            call.filter().ifPresent(f -> addColumns(f, names));
        }
        if (aggregate.isEmpty()) {
            outputs.forEach(o -> addColumns(o.expr(), names));
        }
        return names;
    }

    static void addColumns(Expr expr, Set<String> names) {
        if (expr instanceof Expr.Variable variable) {
            names.add(variable.name());
        } else if (expr instanceof Expr.Call call) {
            call.arguments().forEach(argument -> addColumns(argument, names));
        }
    }
}

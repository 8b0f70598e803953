package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.sql.error.SqlSource;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlNode;

/**
 * The common state of one statement's validation: its text, its parameters, and a bound on the
 * resulting expressions. The bound is needed because COALESCE, IN and BETWEEN copy their operands.
 * One statement, one thread.
 */
public final class Binding {
    private final SqlSource source;
    private final Parameters parameters;
    private final IdentityHashMap<Expr, Integer> sizes = new IdentityHashMap<>();
    private int parts;

    public Binding(SqlSource source, Parameters parameters) {
        this.source = source;
        this.parameters = parameters;
    }

    public SqlSource source() {
        return source;
    }

    public Parameters parameters() {
        return parameters;
    }

    /** Returns the name of a parameter; empty for other nodes. */
    public Optional<String> parameter(SqlNode node) {
        return node instanceof SqlDynamicParam parameter
                ? Optional.of(parameters.names().get(parameter.getIndex()))
                : Optional.empty();
    }

    /** Notes that a {@code ?} stands where this kind is wanted; nothing for other nodes. */
    public void met(SqlNode node, Kind kind) {
        if (node instanceof SqlDynamicParam parameter && parameters.isPlaceholder(node)) {
            parameters.placeholders().met(parameter.getIndex(), kind);
        }
    }

    /**
     * Returns the value where a constant must be. It is the bound expression, or a sample if the
     * node is a {@code ?} without a value yet.
     */
    public Expr constant(SqlNode node, Expr bound, Literal sample) {
        met(node, sample.type().kind());
        boolean toCome = parameters.isPlaceholder(node) && parameters.placeholders().areToCome();
        return toCome ? sample : bound;
    }

    /** Returns the user's text there. The grammar takes the colon alone for a parameter's place. */
    public String quote(SqlNode node) {
        String text = source.quote(node);
        return text.equals(":") ? text + parameter(node).orElse("") : text;
    }

    /** Makes a call of the graph function of this name, known to fit these kinds. */
    public Expr call(SqlNode at, String name, Expr... arguments) {
        List<Kind> kinds = Arrays.stream(arguments).map(a -> a.type().kind()).toList();
        Function function =
                Functions.find(name, kinds)
                        .orElseThrow(
                                () -> error(ErrorCode.TYPE_MISMATCH, at, name + " over " + kinds));
        return call(at, function, List.of(arguments));
    }

    public Expr call(SqlNode at, Function function, List<Expr> arguments) {
        int size = 1;
        for (Expr argument : arguments) {
            size += sizes.getOrDefault(argument, 1);
            checkParts(at, size, "the expression");
        }
        Expr.Call call = Functions.call(function, arguments);
        sizes.put(call, size);
        return call;
    }

    /** Returns an expression that a function has made, and counts its parts. */
    Expr counted(SqlNode at, Expr made) {
        checkParts(at, size(made), "the expression");
        return made;
    }

    private int size(Expr expr) {
        Integer known = sizes.get(expr);
        if (known == null && expr instanceof Expr.Call call) {
            known = 1 + call.arguments().stream().mapToInt(this::size).sum();
            sizes.put(expr, known);
        }
        return known == null ? 1 : known;
    }

    /** Returns the expression, and counts it among those of the query. */
    public Expr taken(SqlNode at, Expr expr) {
        parts += sizes.getOrDefault(expr, 1);
        checkParts(at, parts, "the query");
        return expr;
    }

    private void checkParts(SqlNode at, int count, String whole) {
        if (count > Query.MOST_PARTS) {
            throw error(
                    ErrorCode.INVALID_QUERY,
                    at,
                    whole + " is too large: over " + Query.MOST_PARTS + " parts",
                    "GREATEST, LEAST and COALESCE have their values many times: take several queries");
        }
    }

    public WeirException error(ErrorCode code, SqlNode at, String message) {
        return source.error(code, at, message, null);
    }

    public WeirException error(ErrorCode code, SqlNode at, String message, String hint) {
        return source.error(code, at, message, hint);
    }

    public WeirException notSupported(SqlNode at, String what, String hint) {
        return source.error(ErrorCode.NOT_SUPPORTED, at, what + " is not supported yet", hint);
    }

    public WeirException mismatch(SqlNode at, String message, String hint) {
        return source.error(ErrorCode.TYPE_MISMATCH, at, message, hint);
    }
}

package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelectKeyword;

/**
 * Binds COUNT, SUM, AVG, MIN and MAX as folds. Others are in {@link OrderedFunctions}, {@link
 * ApproximateFunctions}.
 */
public final class AggregateFunctions {
    private static final Set<String> NAMES = Set.of("COUNT", "SUM", "AVG", "MIN", "MAX");
    private static final int MAX_DISTINCT = 8;

    /** An aggregate, its fold chosen. */
    public record Folded(
            String name, Fold fold, List<Expr> arguments, boolean distinct, Optional<Expr> filter) {
        public Folded {
            arguments = List.copyOf(arguments);
        }
    }

    private final Binding binding;
    private final boolean groupsAreNeverEmpty;
    private final boolean ofRows;
    private final Magnitude magnitude;

    /**
     * @param groupsAreNeverEmpty whether each group has a row: true except for the one group of an
     *     aggregate without keys and window
     * @param ofRows whether the input is the rows of a query. Its columns may have the names of
     *     packet columns and any value
     */
    public AggregateFunctions(Binding binding, boolean groupsAreNeverEmpty, boolean ofRows) {
        this.binding = binding;
        this.groupsAreNeverEmpty = groupsAreNeverEmpty;
        this.ofRows = ofRows;
        magnitude = new Magnitude(ofRows);
    }

    /** Returns whether the call names an aggregate. */
    public static boolean isOne(SqlCall call) {
        return NAMES.contains(name(call)) || isOrdered(call) || isApproximate(call);
    }

    /** Returns whether it names an aggregate by a sketch. */
    public static boolean isApproximate(SqlCall call) {
        return ApproximateFunctions.NAMES.contains(name(call));
    }

    /** Returns whether it names an aggregate that depends on the order of packets. */
    public static boolean isOrdered(SqlCall call) {
        return OrderedFunctions.NAMES.contains(name(call));
    }

    public static String name(SqlCall call) {
        return call.getOperator().getName().toUpperCase(Locale.ROOT);
    }

    public static boolean isDistinct(SqlCall call) {
        return call.getFunctionQuantifier() != null
                && call.getFunctionQuantifier().getValue() == SqlSelectKeyword.DISTINCT;
    }

    public static boolean isCountOfRows(SqlCall call) {
        return call.operandCount() == 1
                && call.operand(0) instanceof SqlIdentifier id
                && id.isStar();
    }

    /**
     * Returns the fold of an aggregate whose operands are bound by {@code binder}, over input rows.
     */
    public Folded fold(SqlCall call, SqlNode filter, ExpressionBinder binder) {
        String name = name(call);
        Optional<Expr> condition =
                filter == null ? Optional.empty() : Optional.of(binder.condition(filter, "FILTER"));
        List<Operand> operands =
                isCountOfRows(call) ? List.of() : binder.operands(call.getOperandList());
        if (name.equals("COUNT")) {
            return count(call, operands, condition);
        } else if (isOrdered(call) && !isCountOfRows(call)) {
            return new OrderedFunctions(binding).fold(call, operands, condition);
        } else if (isApproximate(call) && !isCountOfRows(call)) {
            return new ApproximateFunctions(binding).fold(call, operands, condition);
        } else if (operands.size() != 1) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    call,
                    isCountOfRows(call)
                            ? name + "(*) has no meaning: only rows are counted by *"
                            : name + " takes one argument");
        }
        return foldOne(call, operands.get(0), condition);
    }

    private Folded count(SqlCall call, List<Operand> operands, Optional<Expr> filter) {
        boolean distinct = isDistinct(call);
        if (operands.isEmpty() && (distinct || !isCountOfRows(call))) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    call,
                    distinct
                            ? "COUNT(DISTINCT …) needs the columns whose tuples it counts"
                            : "COUNT needs * or the columns to count",
                    distinct ? "write COUNT(DISTINCT src_addr, dst_addr)" : null);
        } else if (operands.size() > MAX_DISTINCT) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    call,
                    "COUNT takes at most " + MAX_DISTINCT + " arguments");
        }
        List<Expr> arguments = new ArrayList<>();
        for (Operand operand : operands) {
            // Distinct tuples need each column. Otherwise only a NULL matters.
            if (distinct || operand.expr().type().nullable()) {
                arguments.add(operand.expr());
            }
        }
        Kind[] kinds = arguments.stream().map(a -> a.type().kind()).toArray(Kind[]::new);
        return new Folded("COUNT", Folds.count(kinds), arguments, distinct, filter);
    }

    private Folded foldOne(SqlCall call, Operand operand, Optional<Expr> filter) {
        String name = name(call);
        boolean extreme = name.equals("MIN") || name.equals("MAX");
        if (isDistinct(call) && !extreme) {
            throw binding.notSupported(call, name + "(DISTINCT …)", "COUNT(DISTINCT …) is");
        }
        Kind kind = operand.kind();
        if (!isDefined(name, kind)) {
            throw binding.mismatch(
                    operand.node(), name + " is not defined for " + kind, hint(name, kind));
        }
        boolean someSummed =
                groupsAreNeverEmpty && filter.isEmpty() && !operand.expr().type().nullable();
        Optional<Expr> wrapped =
                name.equals("SUM") ? magnitude.wrapped(operand.expr()) : Optional.empty();
        Fold fold =
                switch (name) {
                    case "SUM" -> sum(operand.expr(), wrapped.isPresent(), someSummed);
                    case "AVG" -> isWide(operand.expr()) ? Folds.avgOfWide() : Folds.avg(kind);
                    case "MIN" -> Folds.min(kind);
                    default -> Folds.max(kind);
                };
        List<Expr> arguments = new ArrayList<>(List.of(operand.expr()));
        wrapped.ifPresent(arguments::add);
        return new Folded(name, fold, arguments, false, filter);
    }

    private Fold sum(Expr argument, boolean mayWrap, boolean someSummed) {
        Kind kind = argument.type().kind();
        if (mayWrap) {
            return Folds.sumOfWrapping(kind);
        } else if (kind != Kind.DOUBLE && !magnitude.sumFits(argument)) {
            return Folds.sumOfWide(kind);
        }
        return someSummed ? Folds.sumOfSome(kind) : Folds.sum(kind);
    }

    /**
     * Returns whether a sum may pass 64 bits. Columns of packets have 32 at most, so theirs cannot.
     */
    private boolean isWide(Expr argument) {
        boolean column =
                !ofRows
                        && argument instanceof Expr.Variable variable
                        && PacketColumns.all().stream()
                                .anyMatch(c -> c.variable().equals(variable));
        return argument.type().kind() == Kind.BIGINT && !column;
    }

    private static boolean isDefined(String name, Kind kind) {
        return switch (name) {
            case "SUM" -> kind.isNumeric() || kind == Kind.INTERVAL;
            case "AVG" -> kind.isNumeric();
            default -> kind != Kind.INET && Functions.find("<", List.of(kind, kind)).isPresent();
        };
    }

    private static String hint(String name, Kind kind) {
        if (kind == Kind.BOOLEAN) {
            return "COUNT(*) FILTER (WHERE …) counts what is true";
        } else if (kind == Kind.INTERVAL) {
            return "AVG(NANOSECONDS(x)) is";
        } else if (kind == Kind.INET) {
            return "COUNT(DISTINCT x) is, and an address can be a group column";
        }
        return name.equals("SUM") || name.equals("AVG") ? "it takes numbers" : null;
    }
}

package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.function.FunctionDef;
import io.weir.operators.function.Meaning;
import io.weir.operators.function.Role;
import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelectKeyword;

/**
 * Aggregates as folds. The registry makes them, but for COUNT, SUM and AVG: their folds depend on
 * what is known of the argument.
 */
public final class AggregateFunctions {
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
    private final Calls calls;

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
        magnitude = new Magnitude(column -> ofRows ? Long.SIZE : Magnitude.ofPackets(column));
        calls = new Calls(binding, new Conversions(binding));
    }

    /** Returns whether the call names an aggregate. */
    public static boolean isOne(SqlCall call) {
        return role(call).filter(Role::isAggregate).isPresent();
    }

    /** Returns whether it names an aggregate by a sketch. */
    public static boolean isApproximate(SqlCall call) {
        return role(call).filter(role -> role == Role.APPROXIMATE).isPresent();
    }

    /** Returns whether it names an aggregate that depends on the order of packets. */
    public static boolean isOrdered(SqlCall call) {
        return role(call).filter(role -> role == Role.ORDERED).isPresent();
    }

    /** Returns whether rows that come again change nothing of its value. */
    public static boolean ignoresRepeats(SqlCall call) {
        return isDistinct(call) || Calls.def(call).filter(FunctionDef::ignoresRepeats).isPresent();
    }

    private static Optional<Role> role(SqlCall call) {
        return Calls.def(call).map(FunctionDef::role);
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
        FunctionDef def = Calls.def(call).orElseThrow();
        Optional<Expr> condition =
                filter == null ? Optional.empty() : Optional.of(binder.condition(filter, "FILTER"));
        List<Operand> operands =
                isCountOfRows(call)
                        ? List.of()
                        : withoutOffset(call, binder.operands(call.getOperandList()));
        if (def.name().equals("COUNT")) {
            return count(call, def, operands, condition);
        }
        check(call, def);
        if (def.isSyntax()) {
            calls.bind(call, def, operands);
            return sumOrMean(def.name(), operands.get(0), condition);
        }
        boolean neverEmpty = groupsAreNeverEmpty && condition.isEmpty();
        Meaning.Folding folding = calls.group(call, def, operands, neverEmpty);
        return new Folded(def.name(), folding.fold(), folding.arguments(), false, condition);
    }

    /** The grammar knows FIRST and LAST of MATCH_RECOGNIZE, and adds their offset of 0. */
    private static List<Operand> withoutOffset(SqlCall call, List<Operand> operands) {
        boolean pattern = call.getKind() == SqlKind.FIRST || call.getKind() == SqlKind.LAST;
        boolean offset =
                pattern && operands.size() == 2 && operands.get(1).expr().equals(Literal.of(0L));
        return offset ? operands.subList(0, 1) : operands;
    }

    private void check(SqlCall call, FunctionDef def) {
        if (isCountOfRows(call)) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    call,
                    def.name() + "(*) has no meaning: only rows are counted by *");
        } else if (isDistinct(call) && !def.ignoresRepeats()) {
            String hint =
                    def.role() == Role.AGGREGATE ? "COUNT(DISTINCT …) is" : "leave DISTINCT out";
            throw binding.notSupported(call, def.name() + "(DISTINCT …)", hint);
        }
    }

    private Folded count(
            SqlCall call, FunctionDef def, List<Operand> operands, Optional<Expr> filter) {
        boolean distinct = isDistinct(call);
        if (operands.isEmpty() && (distinct || !isCountOfRows(call))) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    call,
                    distinct
                            ? "COUNT(DISTINCT …) needs the columns whose tuples it counts"
                            : "COUNT needs * or the columns to count",
                    distinct ? "write COUNT(DISTINCT src_addr, dst_addr)" : null);
        } else if (!operands.isEmpty()) {
            calls.checkCount(call, def, operands.size());
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

    private Folded sumOrMean(String name, Operand operand, Optional<Expr> filter) {
        if (name.equals("AVG")) {
            Kind kind = operand.kind();
            Fold mean = isWide(operand.expr()) ? Folds.avgOfWide() : Folds.avg(kind);
            return new Folded(name, mean, List.of(operand.expr()), false, filter);
        }
        // A sum is NULL if a value is beyond 64 bits. Other aggregates pass over that value.
        Expr argument = binding.inPlaceOf(operand.expr(), magnitude.plain(operand.expr()));
        boolean some = groupsAreNeverEmpty && filter.isEmpty() && !argument.type().nullable();
        Optional<Expr> wrapped = magnitude.wrapped(argument);
        Fold sum = sum(argument, wrapped.isPresent(), some);
        List<Expr> arguments = new ArrayList<>(List.of(argument));
        wrapped.ifPresent(arguments::add);
        return new Folded(name, sum, arguments, false, filter);
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
}

package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.function.Distinct;
import io.weir.operators.function.Facts;
import io.weir.operators.function.FunctionDef;
import io.weir.operators.function.Magnitude;
import io.weir.operators.function.Meaning;
import io.weir.operators.function.Role;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Fold;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelectKeyword;

/** Aggregates as folds, which the registry makes. */
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
        return isDistinct(call)
                || Calls.def(call).filter(AggregateFunctions::ignoresRepeats).isPresent();
    }

    private static boolean ignoresRepeats(FunctionDef def) {
        return def.distinct() == Distinct.CHANGES_NOTHING;
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
        check(call, def, operands.isEmpty());
        boolean distinct = isDistinct(call) && def.distinct() == Distinct.TAKEN;
        Facts facts = new Facts(groupsAreNeverEmpty && condition.isEmpty(), distinct, magnitude);
        Meaning.Folding folding = calls.group(call, def, operands, facts);
        return new Folded(def.name(), folding.fold(), folding.arguments(), distinct, condition);
    }

    /** The grammar knows FIRST and LAST of MATCH_RECOGNIZE, and adds their offset of 0. */
    private static List<Operand> withoutOffset(SqlCall call, List<Operand> operands) {
        boolean pattern = call.getKind() == SqlKind.FIRST || call.getKind() == SqlKind.LAST;
        boolean offset =
                pattern && operands.size() == 2 && operands.get(1).expr().equals(Literal.of(0L));
        return offset ? operands.subList(0, 1) : operands;
    }

    private void check(SqlCall call, FunctionDef def, boolean noColumns) {
        if (def.takesRows()) {
            checkColumns(call, def, noColumns);
        } else if (isCountOfRows(call)) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    call,
                    def.name() + "(*) has no meaning: only rows are counted by *");
        } else if (isDistinct(call) && def.distinct() == Distinct.REFUSED) {
            String hint =
                    def.role() == Role.AGGREGATE ? "COUNT(DISTINCT …) is" : "leave DISTINCT out";
            throw binding.notSupported(call, def.name() + "(DISTINCT …)", hint);
        }
    }

    private void checkColumns(SqlCall call, FunctionDef def, boolean noColumns) {
        if (noColumns && isDistinct(call)) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    call,
                    def.name() + "(DISTINCT …) needs the columns whose tuples it counts",
                    "write " + def.name() + "(DISTINCT src_addr, dst_addr)");
        } else if (noColumns && !isCountOfRows(call)) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY, call, def.name() + " needs * or the columns to count");
        }
    }
}

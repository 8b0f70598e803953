package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlBetweenOperator;

/** Binds =, &lt;&gt;, &lt;, BETWEEN, IN. */
final class Comparisons {
    /** The most values of an IN list that are no constants. Each is a comparison. */
    static final int MAX_LIST = 1_000;

    private final Binding binding;
    private final Conversions conversions;

    Comparisons(Binding binding, Conversions conversions) {
        this.binding = binding;
        this.conversions = conversions;
    }

    Expr compare(SqlCall call, List<Operand> sides) {
        String operator = call.getKind() == SqlKind.NOT_EQUALS ? "<>" : call.getKind().sql;
        return compare(call, operator, sides.get(0), sides.get(1));
    }

    /** Binds left operator right. Errors point at {@code at}. */
    Expr compare(SqlNode at, String operator, Operand left, Operand right) {
        Optional<Kind> kind = conversions.common(List.of(left, right));
        if (kind.isEmpty()) {
            throw mismatch(at, left, right);
        }
        boolean known = Functions.find(operator, List.of(kind.get(), kind.get())).isPresent();
        if (!known) {
            throw binding.mismatch(
                    at,
                    "values of " + kind.get() + " have no order; they can be compared by = and <>",
                    null);
        }
        return binding.call(
                at,
                operator,
                conversions.convert(left, kind.get()).orElseThrow(),
                conversions.convert(right, kind.get()).orElseThrow());
    }

    private WeirException mismatch(SqlNode at, Operand left, Operand right) {
        return binding.mismatch(
                at,
                "cannot compare " + described(left) + " with " + described(right),
                hint(left, right));
    }

    private String described(Operand operand) {
        Optional<String> parameter = binding.parameter(operand.node());
        String value =
                parameter.isPresent() && operand.isString()
                        ? "'" + binding.source().shortened(text(operand)) + "', "
                        : "";
        return binding.quote(operand.node()) + " (" + value + operand.kindName() + ")";
    }

    private static String text(Operand operand) {
        return (String) ((Expr.Literal) operand.expr()).value();
    }

    private String hint(Operand left, Operand right) {
        boolean string = left.isString() || right.isString();
        Operand text = left.isString() ? left : right;
        boolean number = left.kind().isNumeric() || right.kind().isNumeric();
        if (string && number) {
            return binding.parameter(text.node()).isPresent()
                    ? "give " + binding.quote(text.node()) + " a number"
                    : Spelling.ofNumber(text(text));
        } else if (number && isOf(left, right, Kind.INET)) {
            return "write the address in quotes, as '10.0.0.1'";
        } else if (number && isOf(left, right, Kind.TIMESTAMP)) {
            return "write the time as '2026-11-20 13:45:00' (UTC)";
        } else if (number && isOf(left, right, Kind.MACADDR)) {
            return "write the address in quotes, as '02:00:5e:00:00:01'";
        }
        return null;
    }

    private static boolean isOf(Operand left, Operand right, Kind kind) {
        return left.kind() == kind || right.kind() == kind;
    }

    Expr between(SqlCall call, List<Operand> parts) {
        SqlBetweenOperator operator = (SqlBetweenOperator) call.getOperator();
        if (operator.flag == SqlBetweenOperator.Flag.SYMMETRIC) {
            throw binding.notSupported(call, "BETWEEN SYMMETRIC", "write LEAST and GREATEST");
        }
        Expr low = compare(call, ">=", parts.get(0), parts.get(1));
        Expr high = compare(call, "<=", parts.get(0), parts.get(2));
        Expr within = binding.call(call, Functions.AND, List.of(low, high));
        return operator.isNegated() ? binding.call(call, Functions.NOT, List.of(within)) : within;
    }

    /** Returns the list of IN. Throws if it is none. */
    static SqlNodeList list(Binding binding, SqlCall call) {
        Unsupported.checkList(binding, call.operand(1));
        return call.operand(1);
    }

    Expr in(SqlCall call, Operand value, List<Operand> list) {
        if (list.size() > MAX_LIST) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    call,
                    "an IN list of " + list.size() + " values; at most " + MAX_LIST,
                    "a list of constants may be longer, and CREATE TABLE reads any from a file");
        }
        List<Expr> tests = new ArrayList<>();
        for (Operand item : list) {
            tests.add(compare(item.node(), "=", value, item));
        }
        Expr any = tests.size() == 1 ? tests.get(0) : binding.call(call, Functions.OR, tests);
        return call.getKind() == SqlKind.IN ? any : binding.call(call, Functions.NOT, List.of(any));
    }
}

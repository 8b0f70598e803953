package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/** Refuses expressions that the grammar reads and Weir does not compute. */
final class Unsupported {
    private Unsupported() {}

    static void check(Binding binding, SqlCall call) {
        if (call.isA(SqlKind.QUERY) || call.getKind() == SqlKind.SCALAR_QUERY) {
            throw binding.notSupported(call, "a subquery", "create a query, and select from it");
        }
        switch (call.getKind()) {
            case EXISTS, UNIQUE, SOME, ALL ->
                    throw binding.notSupported(
                            call, "a subquery", "create a query, and select from it");
            case SIMILAR, RLIKE ->
                    throw binding.notSupported(
                            call, call.getOperator().getName(), Spelling.PATTERNS);
            case ITEM, DOT, COLON ->
                    throw binding.notSupported(call, "a part of a value, by [] or .,", null);
            case ROW, ARRAY_VALUE_CONSTRUCTOR, MAP_VALUE_CONSTRUCTOR, MULTISET_VALUE_CONSTRUCTOR ->
                    throw binding.notSupported(
                            call,
                            "a value of several columns",
                            "COUNT(DISTINCT x, y) takes several; else compare each by itself");
            case LITERAL_CHAIN ->
                    throw binding.notSupported(
                            call, "a string in several pieces", "write it in one pair of quotes");
            case WITHIN_GROUP ->
                    throw binding.notSupported(call, "WITHIN GROUP", ofAggregate(call));
            case WITHIN_DISTINCT, RESPECT_NULLS, IGNORE_NULLS ->
                    throw binding.notSupported(call, call.getOperator().getName(), null);
            case TUMBLE, HOP, SESSION -> window(binding, call);
            case FLOOR, CEIL -> checkNumber(binding, call);
            default -> {
                // Named functions are reported as unknown if they are.
            }
        }
    }

    private static String ofAggregate(SqlCall withinGroup) {
        SqlCall aggregate = withinGroup.operand(0);
        return Spelling.ofFunction(aggregate.getOperator().getName().toLowerCase(Locale.ROOT));
    }

    private static void window(Binding binding, SqlCall call) {
        String name = call.getOperator().getName().replace("$", "");
        throw binding.error(
                ErrorCode.INVALID_QUERY,
                call,
                name + " belongs into GROUP BY",
                "select " + name + "_START(…) or window_start");
    }

    /** Throws for FLOOR(ts TO SECOND). */
    private static void checkNumber(Binding binding, SqlCall call) {
        if (call.operandCount() == 2 && call.operand(1) instanceof SqlIntervalQualifier) {
            String name = call.getOperator().getName();
            throw binding.notSupported(call, name + "(… TO …)", Spelling.WINDOWS);
        }
    }

    /** Throws for IN (SELECT …). */
    static void checkList(Binding binding, SqlNode list) {
        if (!(list instanceof SqlNodeList)) {
            throw binding.notSupported(list, "a subquery", "create a query, and select from it");
        }
    }
}

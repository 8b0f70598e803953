package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.sql.validate.AggregateFunctions;
import io.weir.sql.validate.AggregateFunctions.Folded;
import io.weir.sql.validate.WindowBounds;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** Makes unique names for columns that the user did not name. */
final class ColumnNames {
    private static final int LONGEST = 48;
    private static final int MOST_COLUMNS = 3;

    private final Set<String> taken = new HashSet<>();

    void take(String name) {
        taken.add(name);
    }

    boolean isTaken(String name) {
        return taken.contains(name);
    }

    /** Returns the name, with a number behind it if it is taken. */
    String unique(String name) {
        String candidate = name;
        for (int n = 2; !taken.add(candidate); n++) {
            candidate = name + "_" + n;
        }
        return candidate;
    }

    /** Returns a name like {@code count}, {@code sum_bytes}, {@code count_distinct_src_addr}. */
    static String ofFold(Folded folded) {
        String base =
                folded.name().toLowerCase(Locale.ROOT) + (folded.distinct() ? "_distinct" : "");
        if (folded.arguments().size() > MOST_COLUMNS) {
            return base;
        }
        String of =
                folded.arguments().stream()
                        .filter(Expr.Variable.class::isInstance)
                        .map(a -> "_" + ((Expr.Variable) a).name())
                        .collect(Collectors.joining());
        return shortened(base + of);
    }

    /** Returns the name of a result column without an alias. */
    static String ofItem(SqlNode item, int position) {
        if (item instanceof SqlIdentifier id) {
            return id.names.get(id.names.size() - 1);
        } else if (item.getKind() == SqlKind.OVER) {
            SqlNode before = ((SqlCall) item).operand(0);
            return before instanceof SqlCall call ? ofAggregate(call) : "column_" + position;
        } else if (item.getKind() == SqlKind.FILTER) {
            return ofItem(((SqlCall) item).operand(0), position);
        } else if (item instanceof SqlCall call && AggregateFunctions.isOne(call)) {
            return ofAggregate(call);
        } else if (item instanceof SqlCall call && WindowBounds.isOne(call)) {
            return RowScope.WINDOW_COLUMNS.get(WindowBounds.isStart(call) ? 0 : 1);
        }
        return "column_" + position;
    }

    private static String ofAggregate(SqlCall call) {
        String base = AggregateFunctions.name(call).toLowerCase(Locale.ROOT);
        List<SqlNode> operands = call.getOperandList();
        String distinct = AggregateFunctions.isDistinct(call) ? "_distinct" : "";
        return shortened(
                base
                        + distinct
                        + operands.stream()
                                .filter(o -> o instanceof SqlIdentifier id && !id.isStar())
                                .map(o -> "_" + ofItem(o, 0))
                                .collect(Collectors.joining()));
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST ? name : name.substring(0, LONGEST);
    }
}

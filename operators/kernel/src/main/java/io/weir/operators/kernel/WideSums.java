package io.weir.operators.kernel;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.kernel.code.StateLayout;
import io.weir.operators.map.FlatMap;
import io.weir.operators.memory.Memory;
import io.weir.operators.window.Tables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Counts the sums of a query that have left 64 bits and are NULL. Immutable; any thread. */
final class WideSums {
    /** The first word in a value of each such SUM that the query shows or tests. */
    private final List<Sum> sums = new ArrayList<>();

    private record Sum(int firstWord, boolean wraps) {
        boolean isBeyond(long value) {
            long at = value + (long) firstWord * Long.BYTES;
            long above = (Memory.getLong(at) >> Integer.SIZE) - Memory.getLong(at + Long.BYTES);
            long values = Memory.getLong(at + 2 * Long.BYTES);
            boolean wrapped = wraps && Memory.getLong(at + 3 * Long.BYTES) > 0;
            return values > 0 && (wrapped || above < 0 || above >= values);
        }
    }

    WideSums(Plan plan, StateLayout state) {
        Set<String> read = new HashSet<>();
        columns(plan.query().root(), read);
        for (FoldCall call : plan.folds()) {
            if (Folds.isSumOfWide(call.fold()) && read.contains(call.name())) {
                boolean wraps = call.fold().state().size() > 3;
                sums.add(new Sum(state.firstWordOf(call), wraps));
            }
        }
    }

    private static void columns(Operator operator, Set<String> into) {
        if (operator instanceof Operator.Sort sort) {
            columns(sort.input(), into);
        } else if (operator instanceof Operator.Project project) {
            project.outputs().forEach(output -> columns(output.expr(), into));
            columns(project.input(), into);
        } else if (operator instanceof Operator.Filter filter) {
            columns(filter.condition(), into);
            columns(filter.input(), into);
        } else if (operator instanceof Operator.Over over) {
            columns(over.input(), into);
        }
    }

    private static void columns(Expr expr, Set<String> into) {
        if (expr instanceof Expr.Variable variable) {
            into.add(variable.name());
        } else if (expr instanceof Expr.Call call) {
            call.arguments().forEach(argument -> columns(argument, into));
        }
    }

    /** Counts the sums of these groups beyond 64 bits, before HAVING and LIMIT. */
    long beyond(List<Partial> parts) {
        long count = 0;
        for (Partial part : sums.isEmpty() ? List.<Partial>of() : parts) {
            Tables tables = part.tables();
            for (int t = 0; t < Math.min(2, tables.count()); t++) {
                count += tables.table(t) == null ? 0 : beyond(tables.table(t));
            }
        }
        return count;
    }

    private long beyond(FlatMap groups) {
        long found = 0;
        for (long entry = groups.firstEntry(); entry != 0; entry = groups.nextEntry(entry)) {
            for (Sum sum : sums) {
                found += sum.isBeyond(entry + groups.keyBytes()) ? 1 : 0;
            }
        }
        return found;
    }
}

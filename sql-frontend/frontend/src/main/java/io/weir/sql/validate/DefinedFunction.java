package io.weir.sql.validate;

import io.weir.operators.function.FunctionDef;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUnresolvedFunction;

/** A function of the catalogue. It takes the place of the name that a call gives. */
public final class DefinedFunction extends SqlFunction {
    private final FunctionDef def;

    private DefinedFunction(FunctionDef def) {
        super(
                def.name(),
                SqlKind.OTHER_FUNCTION,
                null,
                null,
                null,
                SqlFunctionCategory.USER_DEFINED_FUNCTION);
        this.def = def;
    }

    FunctionDef def() {
        return def;
    }

    /**
     * Replaces names in calls by the functions that the catalogue has under these names. It uses no
     * recursion, because trees can be deep.
     */
    public static void resolve(
            Collection<SqlNode> roots, Function<String, Optional<FunctionDef>> defined) {
        Deque<SqlNode> open = new ArrayDeque<>();
        push(open, roots);
        while (!open.isEmpty()) {
            SqlNode node = open.pop();
            if (node instanceof SqlNodeList list) {
                push(open, list);
            } else if (node instanceof SqlCall call) {
                push(open, call.getOperandList());
                if (call instanceof SqlBasicCall basic
                        && call.getOperator() instanceof SqlUnresolvedFunction function) {
                    defined.apply(function.getName().toLowerCase(Locale.ROOT))
                            .ifPresent(def -> basic.setOperator(new DefinedFunction(def)));
                }
            }
        }
    }

    private static void push(Deque<SqlNode> open, Collection<SqlNode> nodes) {
        nodes.stream().filter(node -> node != null).forEach(open::push);
    }
}

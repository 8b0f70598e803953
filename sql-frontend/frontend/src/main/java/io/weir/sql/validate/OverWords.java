package io.weir.sql.validate;

import io.weir.operators.function.Meaning;
import io.weir.operators.graph.OverFunction;
import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;

/** The words that make a call one over several rows. */
public final class OverWords {
    private OverWords() {}

    /** Returns whether the call has the order of windows without OVER: NEW, NEW_SINCE. */
    public static boolean isAlone(SqlNode node) {
        return node instanceof SqlCall call
                && Calls.def(call)
                        .flatMap(def -> def.meaning(Meaning.Over.class))
                        .filter(over -> over.function() == OverFunction.NEW_SINCE)
                        .isPresent();
    }

    /** Returns OVER, or the call's own name. */
    public static String word(SqlNode call) {
        return isAlone(call)
                ? ((SqlCall) call).getOperator().getName().toUpperCase(Locale.ROOT)
                : "OVER";
    }
}

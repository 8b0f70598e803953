package io.weir.sql.validate;

import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;

/** Reads TUMBLE_START, TUMBLE_END, HOP_START, HOP_END. */
public final class WindowBounds {
    private static final Set<String> NAMES =
            Set.of("TUMBLE_START", "TUMBLE_END", "HOP_START", "HOP_END");

    private WindowBounds() {}

    /** Returns whether the call is one of them. */
    public static boolean isOne(SqlCall call) {
        return NAMES.contains(name(call));
    }

    /** Returns TUMBLE or HOP. */
    public static String window(SqlCall bound) {
        String name = name(bound);
        return name.substring(0, name.indexOf('_'));
    }

    public static boolean isStart(SqlCall bound) {
        return name(bound).endsWith("_START");
    }

    private static String name(SqlCall call) {
        return call.getOperator().getName().toUpperCase(Locale.ROOT);
    }
}

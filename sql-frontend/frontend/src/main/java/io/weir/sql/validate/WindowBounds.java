package io.weir.sql.validate;

import io.weir.operators.function.FunctionDef;
import io.weir.operators.function.FunctionRegistry;
import io.weir.operators.function.Meaning;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlCall;

/** Reads bounds of windows: TUMBLE_START, HOP_END and the like. */
public final class WindowBounds {
    private WindowBounds() {}

    /** Returns whether the call is one of them. */
    public static boolean isOne(SqlCall call) {
        return bound(call).isPresent();
    }

    /** Returns the function that makes the window: TUMBLE or HOP. */
    public static FunctionDef window(SqlCall call) {
        return Calls.named(bound(call).orElseThrow().window());
    }

    public static boolean isStart(SqlCall call) {
        return bound(call).orElseThrow().start();
    }

    /** Returns a hint that names the windows which there are. */
    public static String supported() {
        return FunctionRegistry.loaded().all().stream()
                .filter(def -> def.meaning(Meaning.Window.class).isPresent())
                .map(FunctionDef::name)
                .collect(Collectors.joining(", ", "", " are"));
    }

    private static Optional<Meaning.Bound> bound(SqlCall call) {
        return Calls.def(call).flatMap(def -> def.meaning(Meaning.Bound.class));
    }
}

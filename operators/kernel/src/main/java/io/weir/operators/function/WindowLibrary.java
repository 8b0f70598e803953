package io.weir.operators.function;

import io.weir.operators.graph.Kind;
import java.util.List;

/** Windows of time and their ends. */
public final class WindowLibrary implements FunctionLibrary {
    private static final String TUMBLE = "TUMBLE(ts, INTERVAL '1' SECOND)";
    private static final String HOP = "HOP(ts, INTERVAL '1' SECOND, INTERVAL '2' SECOND)";
    private static final Parameter TIME = Parameter.of("time", Kind.TIMESTAMP);
    private static final Parameter SLIDE = Parameter.of("slide", Kind.INTERVAL);
    private static final Parameter SIZE = Parameter.of("size", Kind.INTERVAL);

    @Override
    public String topic() {
        return "Windows";
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                FunctionBuilder.of("TUMBLE", Role.WINDOW)
                        .form("TUMBLE(time, size)", "windows side by side; in GROUP BY")
                        .syntax(0, TIME, SIZE)
                        .gives("a window")
                        .nulls("never")
                        .example("COUNT(*)", "GROUP BY " + TUMBLE, "3")
                        .build(),
                FunctionBuilder.of("HOP", Role.WINDOW)
                        .form("HOP(time, slide, size)", "windows that overlap; in GROUP BY")
                        .syntax(0, TIME, SLIDE, SIZE)
                        .gives("a window")
                        .nulls("never")
                        .example("COUNT(*)", "GROUP BY " + HOP, "3")
                        .build(),
                bound("TUMBLE_START(time, size)", "start of the window", TUMBLE, "13:45:00"),
                bound("TUMBLE_END(time, size)", "end of the window", TUMBLE, "13:45:01"),
                bound("HOP_START(time, slide, size)", "start of the window", HOP, "13:44:59"),
                bound("HOP_END(time, slide, size)", "end of the window", HOP, "13:45:01"));
    }

    private static FunctionDef bound(String form, String about, String window, String time) {
        String name = form.substring(0, form.indexOf('('));
        Parameter[] parameters =
                name.startsWith("TUMBLE")
                        ? new Parameter[] {TIME, SIZE}
                        : new Parameter[] {TIME, SLIDE, SIZE};
        return FunctionBuilder.of(name, Role.WINDOW)
                .form(form, about)
                .syntax(0, parameters)
                .gives(Kind.TIMESTAMP)
                .nulls("never")
                .example(
                        name + window.substring(window.indexOf('(')),
                        "GROUP BY " + window,
                        "2026-11-20 " + time)
                .build();
    }
}

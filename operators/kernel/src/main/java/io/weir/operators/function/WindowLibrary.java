package io.weir.operators.function;

import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Window;
import java.util.Arrays;
import java.util.List;

/** Windows of time and their ends. */
public final class WindowLibrary implements FunctionLibrary {
    /** Time stamps of captures are not finer than a microsecond. */
    private static final long MIN_NS = 1_000;

    private static final long MAX_NS = 366L * 86_400 * 1_000_000_000;

    /** The most panes of one window: each is a map per query and pipeline. */
    private static final int MAX_PANES = 1_000;

    private static final String TUMBLE = "TUMBLE(ts, INTERVAL '1' SECOND)";
    private static final String HOP = "HOP(ts, INTERVAL '1' SECOND, INTERVAL '2' SECOND)";
    private static final String SESSION = "SESSION(ts, INTERVAL '2' SECOND)";
    private static final Parameter TIME = Parameter.of("ts", Kind.TIMESTAMP);
    private static final Parameter SLIDE = length("slide");
    private static final Parameter SIZE = length("size");
    private static final Parameter GAP = length("gap");
    private static final Parameter OFFSET =
            Parameter.of("offset", Kind.INTERVAL)
                    .where(
                            "an offset is at most 366 days",
                            v -> v instanceof Long ns && ns >= -MAX_NS && ns <= MAX_NS);

    @Override
    public String topic() {
        return "Windows";
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                FunctionBuilder.of("TUMBLE", Role.WINDOW)
                        .form("TUMBLE(ts, size)", "windows side by side; in GROUP BY")
                        .form("TUMBLE(ts, size, offset)", "the same, later by the offset")
                        .form("TUMBLE(ts, size, '+02:00')", "aligned to the clocks of a zone")
                        .of(0, new Meaning.Window(WindowLibrary::tumble), TIME, SIZE)
                        .of(0, new Meaning.Window(WindowLibrary::tumble), TIME, SIZE, OFFSET)
                        .gives("a window")
                        .nulls("never")
                        .example("COUNT(*)", "GROUP BY " + TUMBLE, "3")
                        .build(),
                FunctionBuilder.of("HOP", Role.WINDOW)
                        .form("HOP(ts, slide, size)", "windows that overlap; in GROUP BY")
                        .form("HOP(ts, slide, size, offset)", "the same, later by the offset")
                        .of(0, new Meaning.Window(WindowLibrary::hop), TIME, SLIDE, SIZE)
                        .of(0, new Meaning.Window(WindowLibrary::hop), TIME, SLIDE, SIZE, OFFSET)
                        .gives("a window")
                        .nulls("never")
                        .example("COUNT(*)", "GROUP BY " + HOP, "3")
                        .build(),
                FunctionBuilder.of("SESSION", Role.WINDOW)
                        .form("SESSION(ts, gap)", "packets without a pause of this length")
                        .of(0, new Meaning.Window(WindowLibrary::session), TIME, GAP)
                        .gives("a window")
                        .nulls("never")
                        .example("COUNT(*)", "GROUP BY " + SESSION, "4")
                        .build(),
                bound("TUMBLE_START(ts, size)", "start of the window", TUMBLE, "13:45:00"),
                bound("TUMBLE_END(ts, size)", "end of the window", TUMBLE, "13:45:01"),
                bound("HOP_START(ts, slide, size)", "start of the window", HOP, "13:44:59"),
                bound("HOP_END(ts, slide, size)", "end of the window", HOP, "13:45:01"),
                bound("SESSION_START(ts, gap)", "first packet of the session", SESSION, "13:45:00"),
                bound("SESSION_END(ts, gap)", "last packet and the pause", SESSION, "13:45:03.75"));
    }

    private static Window session(List<Long> lengthsNs) {
        return Window.sessions(lengthsNs.get(0));
    }

    private static Parameter length(String name) {
        return Parameter.of(name, Kind.INTERVAL)
                .where(
                        "a window is from a microsecond to 366 days long",
                        v -> v instanceof Long ns && ns >= MIN_NS && ns <= MAX_NS);
    }

    private static Window tumble(List<Long> lengthsNs) {
        long sizeNs = lengthsNs.get(0);
        return new Window(sizeNs, sizeNs, lengthsNs.size() > 1 ? lengthsNs.get(1) : 0);
    }

    private static Window hop(List<Long> lengthsNs) {
        long slideNs = lengthsNs.get(0);
        long sizeNs = lengthsNs.get(1);
        if (slideNs > sizeNs) {
            throw BadArgument.ofCall(
                    "HOP slides further than its windows are long: packets in between would be lost",
                    "the slide comes first: HOP(ts, slide, size)");
        }
        Window window = new Window(sizeNs, slideNs, lengthsNs.size() > 2 ? lengthsNs.get(2) : 0);
        long panes = sizeNs / window.paneNs();
        if (panes > MAX_PANES) {
            throw BadArgument.ofCall(
                    "a window of " + panes + " panes; at most " + MAX_PANES,
                    "let the slide divide the size, or slide further");
        }
        return window;
    }

    private static FunctionDef bound(String form, String about, String window, String time) {
        String name = form.substring(0, form.indexOf('('));
        String of = window.substring(0, window.indexOf('('));
        Parameter[] parameters =
                switch (of) {
                    case "TUMBLE" -> new Parameter[] {TIME, SIZE};
                    case "SESSION" -> new Parameter[] {TIME, GAP};
                    default -> new Parameter[] {TIME, SLIDE, SIZE};
                };
        Meaning bound = new Meaning.Bound(of, name.endsWith("_START"));
        FunctionBuilder made =
                FunctionBuilder.of(name, Role.WINDOW).form(form, about).of(0, bound, parameters);
        if (!of.equals("SESSION")) {
            Parameter[] shifted = Arrays.copyOf(parameters, parameters.length + 1);
            shifted[parameters.length] = OFFSET;
            made.of(0, bound, shifted);
        }
        return made.gives(Kind.TIMESTAMP)
                .nulls("never")
                .example(
                        name + window.substring(window.indexOf('(')),
                        "GROUP BY " + window,
                        "2026-11-20 " + time)
                .build();
    }
}

package io.weir.cluster.launcher;

import io.weir.cluster.node.Event;
import io.weir.cluster.sink.TimeText;
import java.io.PrintStream;
import java.util.function.Consumer;

/** Prints events as lines for people. */
final class WakeLines implements Consumer<Event> {
    private final PrintStream err;

    WakeLines(PrintStream err) {
        this.err = err;
    }

    @Override
    public void accept(Event event) {
        String at = TimeText.of(event.atNs());
        err.println(
                switch (event.kind()) {
                    case WOKEN ->
                            "WHEN: "
                                    + event.upstream()
                                    + " of the window to "
                                    + TimeText.of(event.windowEndNs())
                                    + " wakes "
                                    + event.query()
                                    + (event.key().isEmpty() ? "" : " for " + event.key())
                                    + ", which counts from "
                                    + at;
                    case FULL ->
                            "WHEN: the bindings of "
                                    + event.query()
                                    + " are full: "
                                    + event.key()
                                    + " is the first one refused";
                    case ENDED -> "WHEN: " + event.query() + " counts until " + at;
                });
    }
}

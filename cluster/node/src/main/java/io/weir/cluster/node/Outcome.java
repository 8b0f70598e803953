package io.weir.cluster.node;

import io.weir.cluster.sink.TimeText;
import io.weir.ingest.source.SourceStatus;
import io.weir.operators.account.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The account and the latest events of a replay for a session, or of a shared engine, for SHOW
 * ACCOUNT and SHOW EVENTS. The replay's thread fills it; whoever gets it afterwards reads it.
 */
final class Outcome implements Consumer<Event> {
    static final List<String> HEADINGS = List.of("event", "query", "at", "about");
    static final int MOST_EVENTS = 1_000;

    private final Deque<List<String>> events = new ArrayDeque<>();
    private long forgotten;
    private Report report;

    @Override
    public void accept(Event event) {
        add(row(event));
    }

    /** Notes that a live source is in another state. */
    void changed(SourceStatus source) {
        String at = TimeText.of(source.sinceMs() * 1_000_000);
        String about = source.error().filter(why -> source.state().isFault()).orElse("");
        add(List.of("source " + source.state().label(), source.name(), at, about));
    }

    private void add(List<String> event) {
        if (events.size() == MOST_EVENTS) {
            events.remove();
            forgotten++;
        }
        events.add(event);
    }

    /** Returns a copy of the events, for another report. */
    Outcome copy() {
        Outcome copy = new Outcome();
        copy.events.addAll(events);
        copy.forgotten = forgotten;
        return copy;
    }

    void report(Report closing) {
        report = closing;
    }

    List<List<String>> account() {
        return AccountTable.rows(report.stages());
    }

    List<Stage.Snapshot> stages() {
        return report.stages();
    }

    /** Returns the work of the queries, as SHOW QUERY COST shows it. */
    List<List<String>> costs() {
        return report.rates().stream().map(CostTable::row).toList();
    }

    /** Returns the losses, as SHOW LOSS shows them. */
    List<List<String>> losses() {
        return LossTable.rows(report.stages());
    }

    /** Returns the bindings of the end of the replay. */
    List<List<String>> bindings() {
        return report.bindings();
    }

    /** Returns the events, oldest first, then the notes. */
    List<List<String>> events() {
        List<List<String>> rows = new ArrayList<>();
        if (forgotten > 0) {
            rows.add(note(forgotten + " earlier events are not kept"));
        }
        rows.addAll(events);
        report.notes().forEach(note -> rows.add(note(note)));
        return rows;
    }

    private static List<String> row(Event event) {
        String at = TimeText.of(event.atNs());
        return switch (event.kind()) {
            case WOKEN ->
                    List.of(
                            "wakes",
                            event.query(),
                            at,
                            event.upstream()
                                    + " of the window to "
                                    + TimeText.of(event.windowEndNs()));
            case FULL ->
                    List.of(
                            "bindings full",
                            event.query(),
                            at,
                            "the first one refused: " + event.key());
            case ENDED -> List.of("ends", event.query(), at, "");
        };
    }

    private static List<String> note(String text) {
        return List.of("note", "", "", text);
    }
}

package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.graph.Window;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.result.Losses;
import io.weir.operators.result.PartialExporter.Departing;
import io.weir.operators.result.PartialExporter.Span;
import io.weir.operators.result.Receivers;
import org.junit.jupiter.api.Test;

/** Windows say how many packets were in them, whatever had run by when they left. */
final class ExactSpansTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final Window SECONDS = Window.tumble(SECOND_NS);
    private static final CompiledQuery CODE = TinySource.perSource();
    private static final ActivationId ID =
            new ActivationId("q", 1, Long.MIN_VALUE, Receivers.SINKS);
    private static final Departing FROM =
            new Departing(CODE, Long.MIN_VALUE, Long.MAX_VALUE, RowContext.ALWAYS, Receivers.SINKS);

    private final PacketCounts counts = ExactCounts.after(7, 100, new int[] {10, 20, 30, 40});

    private static Span second(int second, long processed, long lost) {
        long startNs = second * SECOND_NS;
        return new Span(startNs, startNs + SECOND_NS, Losses.of(lost), processed);
    }

    private static void assertTold(
            ExactSpans.Exact told, long earlier, long before, long processed, long lost) {
        assertEquals(earlier, told.earlier());
        assertEquals(before, told.before());
        assertEquals(processed, told.span().processed());
        assertEquals(lost, told.span().losses().lost());
        assertEquals(7, told.ledger());
    }

    @Test
    void packetsThatRanBeforeAWindowLeftAreOfTheirOwn() {
        ExactSpans spans = new ExactSpans(counts, SECONDS, true, false);
        assertTold(spans.of(ID, FROM, second(0, 16, 0)), 100, 0, 10, 0);
        assertTold(spans.of(ID, FROM, second(1, 21, 0)), 100, 10, 20, 0);
        assertTold(spans.of(ID, FROM, second(3, 63, 0)), 100, 30, 70, 0);
    }

    /** A block of the next window was refused before this one left. */
    @Test
    void whatIsLostBeyondAWindowTheNextOneTells() {
        ExactSpans spans = new ExactSpans(counts, SECONDS, true, false);
        assertTold(spans.of(ID, FROM, second(0, 0, 25)), 100, 0, 0, 10);
        assertTold(spans.of(ID, FROM, second(1, 20, 0)), 100, 10, 5, 15);
        assertTold(spans.of(ID, FROM, second(2, 30, 0)), 100, 30, 30, 0);
        assertTold(spans.of(ID, FROM, second(3, 0, ExactSpans.ALL)), 100, 60, 0, 40);
    }

    /** It has not run before the middle of its first window; what was before is not its own. */
    @Test
    void aQueryThatComesLaterHasAPartOfItsFirstWindow() {
        ExactSpans spans = new ExactSpans(counts, SECONDS, true, true);
        assertTold(spans.of(ID, FROM, second(2, 12, 0)), 130, 0, 12, 0);
        assertTold(spans.of(ID, FROM, second(3, 40, 0)), 130, 12, 40, 0);
    }
}

package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.protocol.wire.PartialWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What comes again, cut, or not at all, or cannot be read. */
final class MergeStageTest {
    private final TinyMerge merge = new TinyMerge();

    @AfterEach
    void close() {
        merge.close();
    }

    @Test
    void aWindowIsFinalWhenAllWhoAreExpectedHaveReported() {
        merge.stage().expect(Set.of("a", "b"), Set.of(), 0);
        merge.accept(TinyMerge.sent("a", "1", 9000, 1, 2), 0);
        assertEquals(List.of(), merge.rows());
        List<MergeMessage> other = TinyMerge.sent("b", "1", 9000, 2, 1);
        merge.accept(other.subList(0, 3), 0);
        assertEquals(
                List.of("1: 10.0.0.0 2, lost 0, 1.00", "1: 10.0.0.1 1, lost 0, 1.00"),
                merge.rows());
        merge.accept(other, 0);
        assertEquals(4, merge.rows().size());
        assertEquals("2: 10.0.0.0 2, lost 0, 1.00", merge.rows().get(2));
        assertEquals(3, merge.stage().counts().duplicates().get());
        assertEquals(0, merge.stage().counts().missing().get());
    }

    /** A gap: blocks that never came, whole windows that never came. */
    @Test
    void gapsAreLoss() {
        List<MergeMessage> all = TinyMerge.sent("a", "1", 60, 10, 4, 5);
        List<MergeMessage> some = new ArrayList<>();
        int blocks = 0;
        for (MergeMessage message : all) {
            boolean second =
                    message instanceof MergeMessage.Block b && b.endNs() == 2 * TinySource.SECOND_NS
                            || message instanceof MergeMessage.WindowEnd w
                                    && w.window().endNs() == 2 * TinySource.SECOND_NS;
            boolean cut =
                    message instanceof MergeMessage.Block b
                            && b.endNs() == TinySource.SECOND_NS
                            && ++blocks < 6;
            if (!second && !cut) {
                some.add(message);
            }
        }
        merge.accept(some, 0);
        assertEquals(5, merge.rows().stream().filter(r -> r.startsWith("1: ")).count());
        assertTrue(
                merge.rows().get(0).endsWith(" 1, lost 0, missing 5, 0.50"), merge.rows().get(0));
        String last = merge.rows().get(merge.rows().size() - 1);
        assertTrue(last.startsWith("3: ") && last.endsWith(" 1, lost 4, 0.56"), last);
        assertEquals(5 + 4 + 1, merge.stage().counts().missing().get());
    }

    /** What never came of one worker is missing where it was missed, and is told once. */
    @Test
    void whatIsMissingOfOneIsLostWhereItIsMissing() {
        merge.stage().expect(Set.of("a", "b"), Set.of(), 0);
        List<MergeMessage> b = TinyMerge.sent("b", "1", 9000, 3, 5, 4, 4);
        b.removeIf(
                message ->
                        message instanceof MergeMessage.Block block
                                        && block.endNs() == 2 * TinySource.SECOND_NS
                                || message instanceof MergeMessage.WindowEnd end
                                        && end.window().endNs() == 2 * TinySource.SECOND_NS);
        merge.accept(b, 0);
        merge.accept(TinyMerge.sent("a", "1", 9000, 1, 1, 1, 1), 0);
        assertEquals(
                List.of(
                        "1: 10.0.0.0 2, lost 0, 1.00",
                        "2: 10.0.0.0 1, lost 4, 0.20",
                        "3: 10.0.0.0 2, lost 1, 0.83",
                        "4: 10.0.0.0 2, lost 0, 1.00"),
                merge.ofFirst());
    }

    @Test
    void whatCannotBeReadIsLostAndCounted() {
        List<MergeMessage> all = new ArrayList<>();
        for (MergeMessage message :
                TinyMerge.sent("a", "1", PartialWriter.DEFAULT_BLOCK_BYTES, 2, 3)) {
            if (message instanceof MergeMessage.Block b && b.endNs() == TinySource.SECOND_NS) {
                byte[] bytes = b.bytes().clone();
                bytes[8]++;
                all.add(
                        new MergeMessage.Block(
                                b.source(), b.sequence(), b.activation(), b.endNs(), bytes));
            } else {
                all.add(message);
            }
        }
        merge.accept(all, 0);
        assertEquals(3, merge.rows().size());
        assertTrue(merge.rows().get(0).startsWith("2: "), merge.rows().get(0));
        assertEquals(1, merge.stage().counts().unread().get());
        assertTrue(
                merge.stage().counts().lastUnread().getMessage().contains("another version of q"),
                merge.stage().counts().lastUnread().toString());
    }

    @Test
    void messagesOfUnknownVersionsAreCounted() {
        merge.stage().drop("q", 1);
        merge.accept(TinyMerge.sent("a", "1", 9000, 1), 0);
        assertEquals(List.of(), merge.rows());
        assertTrue(merge.stage().counts().unknown().get() >= 2);
    }
}

package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.protocol.MergeCounts;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MergeStagesTest {
    private final WeirException why = new WeirException(ErrorCode.OUT_OF_NATIVE_MEMORY, "none");
    private final MergeMetrics metrics = new MergeMetrics();

    private MergeCounts shard(String name, long messages, long windows) {
        MergeCounts counts = new MergeCounts();
        counts.messages().addAndGet(messages);
        counts.finalWindows().addAndGet(windows);
        metrics.add(name, counts);
        return counts;
    }

    private List<Stage.Snapshot> stages() {
        List<Stage.Snapshot> stages = MergeStages.of(metrics);
        stages.forEach(stage -> assertTrue(stage.isBalanced(), stage.toString()));
        return stages;
    }

    @Test
    void shardsAreAddedUpAndBalanced() {
        MergeCounts one = shard("shard-0", 10, 4);
        one.unknown().addAndGet(2);
        one.missing().addAndGet(5);
        one.unmade("q", why);
        MergeCounts two = shard("shard-1", 7, 3);
        two.duplicates().addAndGet(3);
        two.unread(why);
        one.handedWindows().addAndGet(20);
        one.lateWindows().addAndGet(3);
        two.handedWindows().addAndGet(10);
        two.cutWindows().addAndGet(2);
        two.replaced("q", 5);
        two.droppedWindows().addAndGet(4);
        two.keptPackets().addAndGet(90);
        two.withoutRoomPackets().addAndGet(7);
        one.kept().addAndGet(12);
        two.keptUnread("a part of a window of q");
        one.bindings().addAndGet(8);
        one.bindingsRefused().addAndGet(2);
        two.bindings().addAndGet(1);
        metrics.addMalformed();
        Map<String, Long> lost =
                Map.of("malformed", 1L, "missing", 5L, "unknown_query", 2L, "unread", 1L);
        assertEquals(
                List.of(
                        new Stage.Snapshot("merge parcels", 23, 11, lost, Map.of("duplicate", 3L)),
                        new Stage.Snapshot(
                                "merge parts",
                                40,
                                30,
                                Map.of("late", 3L, "cut", 2L, "replaced", 1L),
                                Map.of("dropped", 4L)),
                        new Stage.Snapshot(
                                "merge windows", 7, 6, Map.of("no_memory", 1L), Map.of()),
                        new Stage.Snapshot("merge topk", 97, 90, Map.of("no_memory", 7L), Map.of()),
                        new Stage.Snapshot("merge store", 13, 12, Map.of("unread", 1L), Map.of()),
                        new Stage.Snapshot(
                                "merge bindings", 11, 9, Map.of("set_full", 2L), Map.of())),
                stages());
    }

    /** Such blocks came to the instance that had the shard before. */
    @Test
    void whatWasKeptAndCannotBeReadIsNoLessThanNothing() {
        shard("shard-2", 0, 0).unread(why);
        assertEquals(1, stages().get(0).offered());
        assertEquals(0, stages().get(0).processed());
    }
}

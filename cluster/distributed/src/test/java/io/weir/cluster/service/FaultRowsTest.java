package io.weir.cluster.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.merge.MergeStall;
import io.weir.cluster.protocol.MergeCounts;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import io.weir.cluster.wire.StageCounts;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FaultRowsTest {
    /** A server knows its own stall while Kafka is away; others' it hears. */
    @Test
    void aMergeThatStandsStillIsShownOnce() {
        MergeStall own = new MergeStall("shard-1", 7, "a");
        Heartbeat self = Heartbeat.newBuilder().setWorker("1").addMergeStall(own.text()).build();
        Heartbeat other =
                Heartbeat.newBuilder()
                        .setWorker("2")
                        .setOwner("server on 9348")
                        .addMergeStall("the merge has stood still")
                        .build();
        String about = "shard-1 has stood still for 7 s: it waits for a";
        assertEquals(
                List.of(
                        List.of("stalled", "", "merge of this server", about),
                        List.of(
                                "stalled",
                                "",
                                "merge of server on 9348",
                                "the merge has stood still")),
                FaultRows.stalled("1", List.of(own), List.of(self, other)));
    }

    @Test
    void whatTheMergeHadNoMemoryForIsShown() {
        MergeCounts counts = new MergeCounts();
        counts.unmade("q", noMemory("for groups"));
        counts.unmade("r", noMemory("for rows"));
        counts.unread(noMemory("to read"));
        assertEquals(
                List.of(
                        List.of("no memory", "r", "merge second", "2 windows; the last: for rows"),
                        List.of("unread", "", "merge second", "1 blocks; the last: to read")),
                FaultRows.of(List.of(), List.of(), Map.of("second", counts)));
    }

    @Test
    void notesOfAWorkersInputAreShown() {
        String note = "5 packets are later fragments";
        Heartbeat beat = Heartbeat.newBuilder().setWorker("w").addInputNote(note).build();
        assertEquals(
                List.of(List.of("note", "", "worker w", note)),
                FaultRows.of(List.of(), List.of(new WorkerTable.Worker(beat, 100)), Map.of()));
    }

    @Test
    void whatCannotBeReadOfAStoreIsShown() {
        MergeCounts counts = new MergeCounts();
        counts.keptUnread("totals of q");
        counts.keptUnread("a part of a window of r");
        String about = "2 records of its store cannot be read; the last: a part of a window of r";
        assertEquals(
                List.of(List.of("unread", "", "merge shard-1", about)),
                FaultRows.of(List.of(), List.of(), Map.of("shard-1", counts)));
    }

    @Test
    void whatWasOfVersionsThatAreGoneIsShown() {
        MergeCounts counts = new MergeCounts();
        counts.replaced("q", 30);
        counts.replaced("r", 12);
        String about =
                "2 windows of one worker, with 42 packets, were not made, for their versions are"
                        + " here no more";
        assertEquals(
                List.of(List.of("replaced", "r", "merge shard-3", about)),
                FaultRows.of(List.of(), List.of(), Map.of("shard-3", counts)));
    }

    @Test
    void whatAWorkerHasLostOfAVersionBeforeIsShown() {
        QueryState.Builder runs =
                QueryState.newBuilder().setName("q").setState(QueryState.State.RUNNING);
        Heartbeat beat =
                Heartbeat.newBuilder()
                        .setWorker("w")
                        .addQuery(runs.setAbout("last windows were not made"))
                        .addQuery(runs.clone().setName("r").setAbout(""))
                        .build();
        assertEquals(
                List.of(List.of("replaced", "q", "worker w", "last windows were not made")),
                FaultRows.of(List.of(), List.of(new WorkerTable.Worker(beat, 100)), Map.of()));
    }

    @Test
    void whyWhatWaitsIsNotSentIsShown() {
        Heartbeat beat = Heartbeat.newBuilder().setWorker("w").setRowsTrouble("too large").build();
        String about = "rows wait, and none is sent: too large";
        assertEquals(
                List.of(List.of("not sent", "", "worker w", about)),
                FaultRows.of(List.of(), List.of(new WorkerTable.Worker(beat, 100)), Map.of()));
    }

    @Test
    void whyNoWorkerIsHeardIsShown() {
        assertEquals(List.of(), FaultRows.unheard(""));
        assertEquals(
                List.of(List.of("unheard", "", "this server", "not allowed")),
                FaultRows.unheard("not allowed"));
    }

    private static WeirException noMemory(String what) {
        return new WeirException(ErrorCode.OUT_OF_NATIVE_MEMORY, what);
    }

    @Test
    void whatWasLostAndWhatCameTooLateIsShown() {
        Heartbeat beat =
                Heartbeat.newBuilder()
                        .setWorker("w")
                        .setRowsLost(3)
                        .addStage(
                                StageCounts.newBuilder()
                                        .setName("outbox rows")
                                        .putLost("outbox_full", 1)
                                        .putLost("cut", 2))
                        .setPartialsLost(5)
                        .build();
        MergeCounts late = new MergeCounts();
        late.lateWindows().set(2);
        late.latePackets().set(70);
        List<List<String>> rows =
                FaultRows.of(
                        List.of(),
                        List.of(new WorkerTable.Worker(beat, 100)),
                        Map.of("shard-1", late, "shard-2", new MergeCounts()));
        assertEquals(
                List.of(
                        List.of(
                                "lost",
                                "",
                                "worker w",
                                "3 rows will not reach Kafka: 2 cut, 1 outbox_full"),
                        List.of("lost", "", "worker w", "5 parts of windows will not reach Kafka"),
                        List.of(
                                "late",
                                "",
                                "merge shard-1",
                                "2 windows of one worker, with 70 packets, came after their rows"
                                        + " were made")),
                rows);
    }
}

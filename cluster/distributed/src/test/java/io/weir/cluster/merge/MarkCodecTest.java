package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.protocol.ActivationId;
import io.weir.cluster.protocol.MergeJournal.Absence;
import io.weir.cluster.protocol.MergeJournal.ActivationMark;
import io.weir.cluster.protocol.MergeJournal.EndedMark;
import io.weir.cluster.protocol.MergeJournal.Final;
import io.weir.cluster.protocol.MergeJournal.Late;
import io.weir.cluster.protocol.MergeJournal.PartMark;
import io.weir.cluster.protocol.MergeJournal.Place;
import io.weir.operators.result.Receivers;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is kept of an activation comes back as it was. */
class MarkCodecTest {
    private static final ActivationId ID = new ActivationId("q", 3, Long.MIN_VALUE, Receivers.ALL);

    @Test
    void whatIsStillToBeToldIsKept() throws Exception {
        Final made = new Final(77, true, 4_000_000_000L);
        PartMark part =
                new PartMark(
                        7,
                        3,
                        Long.MAX_VALUE,
                        true,
                        false,
                        2,
                        Optional.of(new Absence(4, 9, true)),
                        Optional.of(new Place(11, 12)),
                        Optional.of(new Late(12, 40)));
        ActivationMark mark = new ActivationMark(5, made, Map.of("a", part), 1, 2);
        EndedMark ended = new EndedMark(made, Map.of("a", part));
        assertEquals(
                new MarkCodec.Kept(ID, Optional.of(mark), Optional.empty()),
                MarkCodec.activation(MarkCodec.bytes(ID, mark)));
        assertEquals(
                new MarkCodec.Kept(ID, Optional.empty(), Optional.of(ended)),
                MarkCodec.activation(MarkCodec.bytes(ID, ended)));
    }
}

package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.merge.ActivationId;
import io.weir.operators.merge.MergeJournal.ActivationMark;
import io.weir.operators.merge.MergeJournal.Final;
import io.weir.operators.result.Activation;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is kept of an activation comes back as it was. */
class MarkCodecTest {
    private static final ActivationId ID =
            new ActivationId("q", 3, Long.MIN_VALUE, Activation.Output.ALL);

    @Test
    void whatIsStillToBeToldIsKept() throws Exception {
        Final made = new Final(77, true, 4_000_000_000L);
        ActivationMark mark = new ActivationMark(5, made, Map.of(), 1, 2);
        assertEquals(
                new MarkCodec.Kept(ID, made, Optional.of(mark)),
                MarkCodec.activation(MarkCodec.bytes(ID, mark)));
        assertEquals(
                new MarkCodec.Kept(ID, made, Optional.empty()),
                MarkCodec.activation(MarkCodec.bytes(ID, made)));
    }
}

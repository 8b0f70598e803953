package io.weir.ingest.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.ingest.source.SourceAdvice;
import java.util.List;
import org.junit.jupiter.api.Test;

class OffloadsTest {
    @Test
    void namesWhatJoinsPackets() {
        String told =
                """
                Features for eth0:
                rx-checksumming: on
                generic-receive-offload: on
                large-receive-offload: off [fixed]
                """;
        assertEquals(
                List.of(
                        new SourceAdvice(
                                "eth0 joins received packets (generic-receive-offload)",
                                "ethtool -K eth0 gro off")),
                Offloads.advice("eth0", told));
        assertEquals(List.of(), Offloads.advice("eth0", told.replace(": on", ": off")));
    }
}

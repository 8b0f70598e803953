package io.weir.bench.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrafficTest {
    @Test
    void hasTheShapeThatWasAskedFor() {
        TrafficShape shape = TrafficShape.of(500_000, 20_000, 7);
        Traffic traffic = new Traffic(shape);
        Burst burst = new Burst();
        Map<Long, Integer> burstsBySource = new HashMap<>();
        long packets = 0;
        long bursts = 0;
        while (traffic.next(burst)) {
            bursts++;
            packets += burst.count;
            burstsBySource.merge(burst.srcLow, 1, Integer::sum);
            assertTrue(burst.count >= 4 || packets == shape.packets());
            assertTrue(burst.count <= 8);
        }
        assertEquals(shape.packets(), packets);
        assertEquals(shape.sources(), burstsBySource.size());
        assertEquals(4.6, (double) packets / bursts, 0.02);
    }

    @Test
    void fewSourcesSendMuch() {
        Zipf zipf = new Zipf(1000, 1.0);
        SplitMix random = new SplitMix(3);
        int[] drawn = new int[1000];
        int draws = 1_000_000;
        for (int i = 0; i < draws; i++) {
            drawn[zipf.draw(random)]++;
        }
        double harmonic = 0;
        for (int rank = 1; rank <= 1000; rank++) {
            harmonic += 1.0 / rank;
        }
        for (int rank : new int[] {1, 2, 10, 100}) {
            double expected = draws / (harmonic * rank);
            assertEquals(expected, drawn[rank - 1], 6 * Math.sqrt(expected), "rank " + rank);
        }
    }

    @Test
    void otherExponentsFallFasterOrSlower() {
        for (double exponent : new double[] {0.5, 1.5, 2.0}) {
            Zipf zipf = new Zipf(100, exponent);
            SplitMix random = new SplitMix(5);
            int[] drawn = new int[100];
            for (int i = 0; i < 400_000; i++) {
                drawn[zipf.draw(random)]++;
            }
            double ratio = (double) drawn[0] / drawn[3];
            assertEquals(Math.pow(4, exponent), ratio, 0.15 * ratio, "exponent " + exponent);
        }
    }

    @Test
    void aSeedNamesATrace() {
        Burst one = new Burst();
        Burst other = new Burst();
        Traffic first = new Traffic(TrafficShape.of(1000, 50, 1));
        Traffic again = new Traffic(TrafficShape.of(1000, 50, 1));
        while (first.next(one)) {
            assertTrue(again.next(other));
            assertEquals(one.srcLow, other.srcLow);
            assertEquals(one.totalBytes(), other.totalBytes());
        }
    }

    @Test
    void sharesOutTheFamilies() {
        Traffic traffic = new Traffic(TrafficShape.of(100_000, 5000, 9).withIpv6(30));
        Burst burst = new Burst();
        Map<Long, Integer> families = new HashMap<>();
        while (traffic.next(burst)) {
            families.put(burst.srcLow, burst.family);
        }
        long ipv6 = families.values().stream().filter(family -> family == 6).count();
        assertEquals(0.3, (double) ipv6 / families.size(), 0.03);
    }
}

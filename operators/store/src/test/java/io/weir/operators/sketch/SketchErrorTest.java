package io.weir.operators.sketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Inet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The errors that are documented hold, for values that look like addresses and ports too. */
class SketchErrorTest {
    private static final int TRIALS = 120;

    private final long seed = Long.getLong("weir.seed", 1);
    private final Random random = new Random(seed);

    /** Values in a row, as hosts of a subnet are: the hash before the sketch must spread them. */
    @Test
    void distinctIsWithinItsError() {
        for (int values : List.of(1, 50, 5_000, 200_000)) {
            double squares = 0;
            int within2 = 0;
            for (int trial = 0; trial < TRIALS; trial++) {
                long first = random.nextInt();
                DistinctSketch sketch = new DistinctSketch();
                for (int i = 0; i < values; i++) {
                    sketch.add(Sketches.hash(0, 4, 0, first + i));
                }
                double error = sketch.estimate() / (double) values - 1;
                squares += error * error;
                within2 += Math.abs(error) <= 2 * DistinctSketch.relativeError() ? 1 : 0;
            }
            String message = values + " values, seed " + seed;
            double deviation = Math.sqrt(squares / TRIALS);
            // 120 trials know their deviation to a sixteenth; four of these are allowed for.
            assertTrue(deviation <= 1.25 * DistinctSketch.relativeError(), message + deviation);
            assertTrue(within2 >= 0.87 * TRIALS, message + " " + within2);
        }
    }

    @Test
    void distinctIsTheSameInAnyOrderAndAnyPieces() {
        for (int trial = 0; trial < 20; trial++) {
            int values = 1 << random.nextInt(18);
            DistinctSketch whole = new DistinctSketch();
            Sketch[] pieces = new Sketch[1 + random.nextInt(4)];
            Arrays.setAll(pieces, i -> new DistinctSketch());
            for (int i = 0; i < values; i++) {
                long hash = Sketches.hash(0, random.nextInt(values));
                whole.add(hash);
                ((DistinctSketch) pieces[random.nextInt(pieces.length)]).add(hash);
            }
            DistinctSketch merged = new DistinctSketch();
            for (Sketch piece : pieces) {
                merged.merge(piece);
            }
            assertEquals(whole.estimate(), merged.estimate(), "seed " + seed);
        }
    }

    @Test
    void quantilesAreWithinTheirRankError() {
        int values = 20_000;
        int within = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            double[] sorted = new double[values];
            Sketch[] pieces = {new QuantileSketch(), new QuantileSketch(), new QuantileSketch()};
            for (int i = 0; i < values; i++) {
                sorted[i] = Math.exp(8 * random.nextDouble());
                ((QuantileSketch) pieces[random.nextInt(3)]).add(sorted[i]);
            }
            Arrays.sort(sorted);
            QuantileSketch merged = new QuantileSketch();
            for (Sketch piece : pieces) {
                merged.merge(piece);
            }
            assertEquals(sorted[0], merged.quantile(0), "seed " + seed);
            assertEquals(sorted[values - 1], merged.quantile(1), "seed " + seed);
            double rank = random.nextDouble();
            double answer = merged.quantile(rank);
            double trueRank = Math.abs(Arrays.binarySearch(sorted, answer)) / (double) values;
            within += Math.abs(trueRank - rank) <= QuantileSketch.rankError() ? 1 : 0;
        }
        assertTrue(within >= 0.94 * TRIALS, within + " of " + TRIALS + ", seed " + seed);
    }

    @Test
    void theMostFrequentAreFoundAndTheirCountsWithinTheError() {
        int values = 300_000;
        Map<Inet, Long> exact = new HashMap<>();
        Sketch[] pieces = {new TopSketch(), new TopSketch()};
        for (int i = 0; i < values; i++) {
            int host = (int) Math.exp(10.5 * random.nextDouble());
            Inet address = host % 3 == 0 ? Inet.v6(0x2001_0db8_0000_0000L, host) : Inet.v4(host);
            exact.merge(address, 1L, Long::sum);
            ((TopSketch) pieces[random.nextInt(2)])
                    .add(address.family(), address.high(), address.low());
        }
        TopSketch merged = new TopSketch();
        for (Sketch piece : pieces) {
            merged.merge(piece);
        }
        double error = TopSketch.error() * values;
        int found = 0;
        for (int rank = 1; merged.has(rank); rank++) {
            Inet address = new Inet((int) merged.family(rank), merged.high(rank), merged.low(rank));
            long count = exact.get(address);
            assertTrue(Math.abs(count - merged.count(rank)) <= error, address + ", seed " + seed);
            found += count > error ? 1 : 0;
        }
        long frequent = exact.values().stream().filter(count -> count > error).count();
        assertTrue(frequent > 10, "the test has none to find");
        assertEquals(frequent, found, "seed " + seed);
    }

    @Test
    void aFullPoolRefusesAndTheResultIsUnknown() {
        int one = new DistinctSketch().heldBytes();
        try (SketchPool pool = new SketchPool(2L * one);
                SketchPool other = new SketchPool(100L * one)) {
            long none = pool.bound(SketchPool.UNBOUND);
            assertEquals(7, pool.bound(7));
            long first = Sketches.addDistinct(none, 1);
            long second = Sketches.addDistinct(none, 2);
            long third = Sketches.addDistinct(none, 3);
            assertEquals(2L * one, pool.bytes());
            assertEquals(third, Sketches.addDistinct(third, 4));
            assertEquals(2, pool.refusals());
            assertTrue(Sketches.isRefused(third) && !Sketches.isRefused(second));
            assertEquals(1, Sketches.distinct(first));
            long into = Sketches.merge(other.bound(SketchPool.UNBOUND), first);
            into = Sketches.merge(into, second);
            assertEquals(2, Sketches.distinct(into));
            assertEquals(1, Sketches.distinct(first), "what is merged in stays as it is");
            assertTrue(Sketches.isRefused(Sketches.merge(into, third)));
            assertEquals(into, Sketches.merge(into, none));
        }
    }
}

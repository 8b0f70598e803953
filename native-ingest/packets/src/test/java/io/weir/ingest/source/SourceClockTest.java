package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The rule of a source's time, beside one that looks at the whole list of time stamps. */
final class SourceClockTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long HOUR = 3600 * SECOND;
    private static final long DAY = 24 * HOUR;
    private static final long START = 1_700_000_000L * SECOND;
    private static final String IN_TIME = "in time";
    private static final String LATE = "late";
    private static final String FUTURE = "future";

    private final long seed = Long.getLong("weir.seed", 31);

    /** Verdicts of all packets, and the newest time at the end. */
    private record Judged(List<String> verdicts, long newestNs) {}

    private static Judged judged(long[] times, long latenessNs) {
        SourceClock clock = SourceClock.ofFile(latenessNs);
        List<String> verdicts = new ArrayList<>();
        for (int i = 0; i < times.length; i++) {
            int verdict = clock.judge(times[i]);
            long[] later = new long[SourceClock.WITNESSES];
            for (int seen = 0; verdict == SourceClock.HELD; seen++) {
                boolean ended = i + seen + 1 >= times.length || seen == SourceClock.WITNESSES;
                verdict = clock.settle(times[i], later, seen, ended);
                if (verdict == SourceClock.HELD) {
                    later[seen] = times[i + seen + 1];
                }
            }
            verdicts.add(List.of(IN_TIME, LATE, FUTURE).get(verdict));
        }
        return new Judged(verdicts, clock.newestNs());
    }

    /** Without any state but the newest time. */
    private static Judged naive(long[] times, long latenessNs) {
        long reach = Math.max(HOUR, latenessNs);
        List<String> verdicts = new ArrayList<>();
        Long newest = null;
        for (int i = 0; i < times.length; i++) {
            long ts = times[i];
            long[] next = Arrays.copyOfRange(times, i + 1, Math.min(times.length, i + 3));
            if (newest == null) {
                long older = LongStream.of(next).filter(t -> ts - t > reach).count();
                boolean odd = older > 0 && older == next.length;
                verdicts.add(odd ? FUTURE : IN_TIME);
                newest = odd ? null : (Long) ts;
            } else if (ts - newest > reach) {
                long limit = newest + reach;
                boolean odd = LongStream.of(next).anyMatch(t -> t <= limit);
                verdicts.add(odd ? FUTURE : IN_TIME);
                newest = odd ? newest : (Long) ts;
            } else {
                verdicts.add(newest - ts > latenessNs ? LATE : IN_TIME);
                newest = Math.max(newest, ts);
            }
        }
        return new Judged(verdicts, newest == null ? Long.MIN_VALUE : newest);
    }

    /** Steady packets with glitches, steps, gaps and disorder. */
    private static long[] times(Random random) {
        long[] times = new long[random.nextInt(40)];
        long now = START;
        for (int i = 0; i < times.length; i++) {
            now += (long) (random.nextDouble() * SECOND);
            now += random.nextInt(12) == 0 ? away(random) : 0;
            times[i] = now + (random.nextInt(6) == 0 ? away(random) : 0);
        }
        return times;
    }

    private static long away(Random random) {
        long by =
                switch (random.nextInt(5)) {
                    case 0 -> random.nextLong(5 * SECOND);
                    case 1 -> random.nextLong(HOUR);
                    case 2 -> HOUR + random.nextLong(3) - 1;
                    case 3 -> random.nextLong(5 * HOUR);
                    default -> DAY;
                };
        return random.nextBoolean() ? by : -by;
    }

    @Test
    void packetsAreJudgedAsByTheWholeList() {
        Random random = new Random(seed);
        for (int round = 0; round < 50_000; round++) {
            long[] times = times(random);
            long lateness = List.of(0L, SECOND, 600 * SECOND, 2 * HOUR).get(random.nextInt(4));
            assertEquals(
                    naive(times, lateness),
                    judged(times, lateness),
                    () -> "-Dweir.seed=" + seed + " " + lateness + " " + Arrays.toString(times));
        }
    }

    private static void assertJudged(String expected, long... secondsAfterStart) {
        long[] times = LongStream.of(secondsAfterStart).map(s -> START + s * SECOND).toArray();
        StringBuilder verdicts = new StringBuilder();
        judged(times, SECOND).verdicts().forEach(v -> verdicts.append(v.charAt(0)));
        assertEquals(expected, verdicts.toString());
    }

    @Test
    void oneOddStampOrTwoMoveNothing() {
        assertJudged("iifii", 0, 1, 86_401, 1, 2);
        assertJudged("iiffii", 0, 1, 86_401, 86_401, 1, 2);
        assertJudged("iiffii", 0, 1, 86_401, 3 * 86_400, 1, 2);
        assertJudged("iififi", 0, 1, 86_401, 1, 86_402, 2);
    }

    @Test
    void anOddFirstStampIsTheOddOne() {
        assertJudged("fiii", 86_400, 0, 1, 2);
        assertJudged("iliii", 0, -86_400, 1, 2, 3);
        assertJudged("iiii", -86_400, 0, 1, 2);
    }

    @Test
    void aGapIsPassedAndItsPacketsCount() {
        assertJudged("iiiii", 0, 1, 7_200, 7_201, 7_202);
        assertJudged("iiiii", 0, 7_200, 14_400, 21_600, 28_800);
        assertJudged("iii", 0, 1, 7_200);
        assertJudged("i", 0);
    }

    @Test
    void aClockThatIsSetBackIsWaitedFor() {
        assertJudged("iillliii", 0, 300, 10, 100, 298, 299, 300, 301);
    }

    @Test
    void aPipeHasTheWallClockForAWitness() {
        long[] wall = {START};
        SourceClock clock = SourceClock.ofPipe(SECOND, () -> wall[0]);
        assertEquals(SourceClock.IN_TIME, clock.judge(START));
        assertEquals(SourceClock.FUTURE, clock.judge(START + 11 * SECOND));
        assertEquals(SourceClock.FUTURE, clock.judge(START + DAY));
        assertEquals(SourceClock.IN_TIME, clock.judge(START + 9 * SECOND));
        wall[0] = START + 5 * HOUR;
        assertEquals(SourceClock.IN_TIME, clock.judge(START + 5 * HOUR));
        assertEquals(SourceClock.FUTURE, clock.judge(START + 6 * HOUR));
        assertEquals(START + 5 * HOUR, clock.newestNs());
    }

    /** What it brings is old: it is judged as a file is. */
    @Test
    void aPipeOfOldPacketsHasNoWallClock() {
        SourceClock clock = SourceClock.ofPipe(SECOND, () -> START + 100 * DAY);
        assertEquals(SourceClock.IN_TIME, clock.judge(START));
        assertEquals(SourceClock.IN_TIME, clock.judge(START + SECOND));
        assertEquals(SourceClock.HELD, clock.judge(START + DAY));
        long[] back = {START + 2 * SECOND};
        assertEquals(SourceClock.FUTURE, clock.settle(START + DAY, back, 1, false));
    }
}

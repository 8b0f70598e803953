package io.weir.cluster.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.disk.Patience;
import io.weir.operators.account.Stage;
import io.weir.operators.time.Clock;
import io.weir.operators.time.ManualClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The disk's thread is kept at its work, as by a disk that does not answer. */
@Timeout(120)
class HangingDiskTest {
    private static final int ENTRY_BYTES = 20_000;
    private static final int HELD = (int) (Outbox.LEAST_BYTES / 4 / (ENTRY_BYTES + 100));

    @TempDir private Path directory;
    private final Stage stage = new Stage("outbox");
    private final Map<OutboxTrouble, Integer> told = new EnumMap<>(OutboxTrouble.class);

    private Outbox outbox(Patience patience) {
        Outbox outbox = new Outbox(directory, Outbox.LEAST_BYTES, stage, patience);
        outbox.onTrouble(trouble -> told.merge(trouble, 1, Integer::sum));
        return outbox;
    }

    private static CountDownLatch hang(Outbox outbox) {
        CountDownLatch goOn = new CountDownLatch(1);
        assertTrue(outbox.onDisk(0, () -> answers(goOn)));
        return goOn;
    }

    private static boolean answers(CountDownLatch goOn) {
        try {
            goOn.await();
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] entry(long text) {
        return ByteBuffer.allocate(ENTRY_BYTES).putLong(text).array();
    }

    private static List<Long> texts(OutboxReader reader) {
        List<Long> texts = new ArrayList<>();
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
            assertEquals(texts.size(), next.get().number());
            texts.add(ByteBuffer.wrap(next.get().bytes()).getLong());
        }
        return texts;
    }

    /** Hangs and goes on at random: what was not lost is there, in order; nobody waits for long. */
    @Test
    void whoAppendsDoesNotWait() throws Exception {
        long seed = Long.getLong("weir.seed", 3);
        Random random = new Random(seed);
        List<Long> kept = new ArrayList<>();
        long text = 0;
        try (Outbox outbox = outbox(Patience.ofLivePackets(Clock.SYSTEM));
                OutboxReader reader = outbox.reader()) {
            for (int times = 0; times < 5; times++) {
                CountDownLatch goOn = hang(outbox);
                for (int n = random.nextInt(2 * HELD); n >= 0; n--) {
                    long next = outbox.next();
                    outbox.append(entry(text));
                    if (outbox.next() > next) {
                        kept.add(text);
                    }
                    text++;
                }
                assertEquals(kept.size(), outbox.waiting(0), "seed " + seed);
                goOn.countDown();
                outbox.flush();
            }
            assertEquals(kept, texts(reader), "seed " + seed);
        }
        long lost = stage.lost("disk_slow").value();
        assertTrue(lost > 0, "seed " + seed);
        assertTrue(told.containsKey(OutboxTrouble.SLOW), "seed " + seed);
        assertEquals(text, kept.size() + lost, "seed " + seed);
    }

    /** A file's packets can wait, and so do rows. */
    @Test
    void whoIsPatientLosesNothing() throws Exception {
        int entries = 3 * HELD;
        try (Outbox outbox = outbox(Patience.endless());
                OutboxReader reader = outbox.reader()) {
            CountDownLatch goOn = hang(outbox);
            FutureTask<Integer> appending =
                    new FutureTask<>(
                            () -> {
                                for (int i = 0; i < entries; i++) {
                                    outbox.append(entry(i));
                                }
                                return entries;
                            });
            new Thread(appending, "rows").start();
            Thread.sleep(2_500); // more than others wait
            assertFalse(appending.isDone());
            goOn.countDown();
            assertEquals(entries, appending.get(60, TimeUnit.SECONDS));
            outbox.flush();
            assertEquals(entries, texts(reader).size());
        }
        assertEquals(Map.of(), told);
        assertEquals(0, stage.snapshot().lostInAll());
    }

    /** It hangs when the process ends: what waits for it is lost, and has had no number. */
    @Test
    void whatNeverCameToTheDiskIsLost() throws Exception {
        Outbox outbox = outbox(Patience.ofLivePackets(Clock.SYSTEM));
        outbox.append(entry(0));
        outbox.flush();
        CountDownLatch goOn = hang(outbox);
        outbox.append(entry(1));
        outbox.append(entry(2), true);
        outbox.end();
        assertEquals(1, outbox.next());
        assertEquals(2, stage.lost("disk_slow").value());
        outbox.append(entry(3));
        assertEquals(1, stage.lost("outbox_closed").value());
        outbox.close();
        goOn.countDown();
    }

    /** A tenth of the time, after the first second, however often the disk is slow. */
    @Test
    void patienceIsAShareOfTheTime() {
        ManualClock clock = new ManualClock();
        Patience patience = Patience.ofLivePackets(clock);
        long waitedMs = 0;
        long passedMs = 0;
        while (passedMs < 60_000) {
            long sinceNs = clock.nanos();
            long ms = Math.min(20, patience.leftMs(sinceNs));
            long stepMs = Math.max(1, ms);
            clock.pass(Duration.ofMillis(stepMs));
            passedMs += stepMs;
            waitedMs += ms;
            patience.waited(ms > 0 ? sinceNs : clock.nanos());
        }
        assertTrue(waitedMs >= 900, waitedMs + " ms");
        assertTrue(waitedMs <= 1_020 + passedMs / 10, waitedMs + " of " + passedMs + " ms");
    }
}

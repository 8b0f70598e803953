package io.weir.operators.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Shards that each lose parts of some workers, and can only tell how many packets those workers had
 * in all groups: together they tell at least what is lost, and no more than there was.
 */
final class LossesTest {
    private static final int ROUNDS = 10_000;

    private final long seed = Long.getLong("weir.seed", 1);
    private final Random random = new Random(seed);

    private Losses[] shards;
    private long lostByShards;

    /** Each shard has some of the worker's packets, or loses them. */
    private void worker(int packets) {
        int[] share = new int[shards.length];
        for (int p = 0; p < packets; p++) {
            share[random.nextInt(1 + random.nextInt(shards.length))]++;
        }
        for (int s = 0; s < shards.length; s++) {
            if (random.nextInt(4) == 0) {
                shards[s] = shards[s].plus(Losses.own(packets));
                lostByShards += share[s];
            }
        }
    }

    /** What the shards tell together of a window of so many packets. */
    private Losses together(long packets) {
        Losses told = shards[0];
        for (int s = 1; s < shards.length; s++) {
            told = told.or(shards[s]);
        }
        return told.within(packets);
    }

    @Test
    void shardsTellAtLeastWhatIsLostAndNoMoreThanThereWas() {
        for (int round = 0; round < ROUNDS; round++) {
            String about = "seed " + seed + ", round " + round;
            int lost = random.nextInt(3) * random.nextInt(50);
            lostByShards = 0;
            shards = new Losses[1 + random.nextInt(4)];
            Arrays.fill(shards, Losses.of(lost));
            long packets = 0;
            for (int workers = random.nextInt(5); workers > 0; workers--) {
                int of = random.nextInt(30);
                packets += of;
                worker(of);
            }
            Losses told = together(lost + packets);
            assertTrue(told.lacking() >= lost + lostByShards, about);
            assertTrue(told.lacking() <= lost + packets, about);
            assertEquals(lost, told.lost() - told.own(), about);
        }
    }
}

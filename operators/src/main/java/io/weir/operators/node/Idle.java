package io.weir.operators.node;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;

/** What a thread does that has nothing to do: the quicker it looks again, the more CPU it takes. */
public enum Idle {
    /** Spins: a core for each thread, and the least delay. */
    BUSY {
        @Override
        IdleStrategy strategy() {
            return new BusySpinIdleStrategy();
        }
    },
    /** Spins, then yields, then sleeps for longer and longer, up to 100 µs. */
    BACKOFF {
        @Override
        IdleStrategy strategy() {
            return new BackoffIdleStrategy(50, 10, 1_000, 100_000);
        }
    },
    /** Sleeps at once, 1 ms at a time: next to no CPU. */
    PARK {
        @Override
        IdleStrategy strategy() {
            return new SleepingIdleStrategy(1_000_000);
        }
    };

    /** One for each thread that waits. */
    abstract IdleStrategy strategy();
}

package io.weir.operators.node;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;

/** Lets a thread wait that has nothing to do. A short wait costs more CPU than a long one. */
public enum IdleMode {
    /** Spins. It takes a core for each thread and has the least delay. */
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
    /** Sleeps at once, 1 ms at a time. It takes almost no CPU. */
    PARK {
        @Override
        IdleStrategy strategy() {
            return new SleepingIdleStrategy(1_000_000);
        }
    };

    /** Makes a strategy for one waiting thread. */
    abstract IdleStrategy strategy();
}

package io.weir.cluster.kafka.catalog;

import io.weir.cluster.wire.RetiredWorker;

/**
 * A worker that was taken out of the cluster for good: nobody waits for it, or misses it. It holds
 * for one process of the worker. A process that is started under its name later belongs to the
 * cluster again.
 *
 * @param life of the last process that was heard, as its heartbeats report
 */
public record Retirement(String worker, String life) {
    private static final String KEY = "\u0000retired ";

    /** Returns the key of its record. No query has such a name. */
    static String key(String worker) {
        return KEY + worker;
    }

    static Retirement of(String key, RetiredWorker record) {
        if (!key.equals(key(record.getWorker()))) {
            throw new IllegalArgumentException(
                    "the retired worker " + record.getWorker() + " lies under the name " + key);
        }
        return new Retirement(record.getWorker(), record.getLife());
    }

    RetiredWorker record() {
        return RetiredWorker.newBuilder().setWorker(worker).setLife(life).build();
    }
}

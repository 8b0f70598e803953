package io.weir.bench.flink;

import java.io.Serializable;

/**
 * A query as functions of packets and groups.
 *
 * @param isWindowed groups are per second; else over all packets
 */
record Work(String name, boolean isWindowed, Accepts accepts, Key key, Update update, Row row)
        implements Serializable {

    /** WHERE. */
    interface Accepts extends Serializable {
        boolean accepts(Packet packet);
    }

    /** GROUP BY. */
    interface Key extends Serializable {
        long of(Packet packet);
    }

    /** The aggregates. */
    interface Update extends Serializable {
        void add(Group group, Packet packet);
    }

    /** SELECT and HAVING: the words of a row after the window's, or null. */
    interface Row extends Serializable {
        long[] of(long key, Group group);
    }
}

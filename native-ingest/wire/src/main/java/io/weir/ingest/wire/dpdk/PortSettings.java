package io.weir.ingest.wire.dpdk;

import io.weir.operators.memory.Memory;

/**
 * The settings of a port: the struct Settings of {@code dpdk.h}.
 *
 * @param mbufs of all queues
 * @param mbufBytes the bytes of a frame that fit into one
 * @param mtu 0: the device's own
 * @param rss 0: none, 1: addresses, 2: addresses and ports
 */
record PortSettings(int queues, int descriptors, int mbufs, int mbufBytes, int mtu, int rss) {
    static final int BYTES = 48;

    void write(long to) {
        Memory.putLong(to, queues);
        Memory.putLong(to + 8, descriptors);
        Memory.putLong(to + 16, mbufs);
        Memory.putLong(to + 24, mbufBytes);
        Memory.putLong(to + 32, mtu);
        Memory.putLong(to + 40, rss);
    }
}

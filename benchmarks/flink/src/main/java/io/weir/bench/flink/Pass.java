package io.weir.bench.flink;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The state that the one running job shares with its starter: packets, clock and rows. A job's own
 * start and end, tens of milliseconds, are left out: the time is from before the first packet to
 * after the last row. It is the process's CPU time, so Flink's other threads and the collector are
 * included.
 */
final class Pass {
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private static PacketTable table;
    private static volatile long beganNs;
    private static volatile long tookNs;
    private static RowHash rows;

    private Pass() {}

    static void prepare(PacketTable packets) {
        table = packets;
        rows = new RowHash();
        tookNs = -1;
    }

    static PacketTable table() {
        return table;
    }

    static void begin() {
        beganNs = PROCESS.getProcessCpuTime();
    }

    static void row(long[] words) {
        rows.add(words);
    }

    static void end() {
        tookNs = PROCESS.getProcessCpuTime() - beganNs;
    }

    static long tookNs() {
        if (tookNs < 0) {
            throw new IllegalStateException("the job has not come to its end");
        }
        return tookNs;
    }

    static RowHash rows() {
        return rows;
    }
}

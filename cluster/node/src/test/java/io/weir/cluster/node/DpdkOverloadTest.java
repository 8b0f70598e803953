package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.ingest.wire.dpdk.DpdkCheck;
import io.weir.operators.account.Stage;
import io.weir.operators.time.Deadline;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A virtual device offers at least twice as many frames as the queries take. */
@Timeout(180)
class DpdkOverloadTest {
    private static final long RUN_NS = 4_000_000_000L;
    private static final int MOST_QUERIES = 64;

    @TempDir private Path folder;

    @BeforeAll
    static void needsDpdk() {
        assumeTrue(DpdkCheck.isLoaded(), "DPDK is not installed: its queues are not tested");
    }

    @Test
    void twiceAsMuchAsThePipelineTakesIsToldToThePacket() {
        String uri = "dpdk:net_pcap0?infinite_rx=1&rx_pcap=" + capture();
        double factor = 0;
        Overload overload = null;
        int queries = 4;
        while (factor < 2) {
            queries *= 2;
            assumeTrue(queries <= MOST_QUERIES, "the pipeline is as fast as the device");
            overload = run(uri, queries);
            long offered = overload.sum("capture", page -> page.offered());
            long ringFull = overload.sum("cache", Stage.Snapshot::lostInAll);
            factor = (double) offered / (offered - ringFull);
        }
        String at = queries + " queries, " + factor + " times what they take: ";
        check(overload, at);
        System.out.println(at + overload.rows.size() + " windows");
    }

    private static void check(Overload overload, String at) {
        long offered = overload.sum("capture", page -> page.offered());
        long excluded = overload.sum("capture", Overload::excluded);
        long atDevice = overload.sum("capture", Stage.Snapshot::lostInAll);
        long ringFull = overload.sum("cache", Stage.Snapshot::lostInAll);
        assertTrue(excluded > 0, at + "no frame was excluded");
        assertEquals(
                offered,
                overload.counted() + excluded + atDevice + ringFull,
                at + "frames are missing");
        overload.checkRows(atDevice + ringFull, at);
        overload.checkMemory(at);
        long lengthNs = overload.lengthNs();
        assertTrue(lengthNs >= RUN_NS / 4 * 3, at + "rows of " + lengthNs + " ns");
    }

    /** Runs the device for some seconds, with queries that share nothing. */
    private static Overload run(String uri, int queries) {
        Overload overload = new Overload();
        for (int i = 0; i < queries; i++) {
            overload.beside(
                    "SELECT bytes + "
                            + i
                            + " AS p, COUNT(*) AS n FROM packets"
                            + " GROUP BY bytes + "
                            + i
                            + ", TUMBLE(ts, INTERVAL '1' SECOND)",
                    batch -> {});
        }
        Deadline end = Deadline.afterMs(RUN_NS / 1_000_000);
        overload.run(uri, end::isOver);
        return overload;
    }

    private Path capture() {
        PcapFile file = new PcapFile();
        for (int i = 0; i < 2000; i++) {
            file.udp(1000L * i, i % 300, i % 7, i % 100, 60 + i % 100);
            if (i % 50 == 0) {
                file.arp(1000L * i);
            }
        }
        return file.write(folder.resolve("capture.pcap"));
    }
}

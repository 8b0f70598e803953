package io.weir.bench;

import io.weir.bench.generate.CaptureFile;
import io.weir.bench.generate.TrafficShape;
import io.weir.bench.wire.LoopbackProgram;
import io.weir.bench.wire.Testpmd;
import io.weir.bench.wire.WireBenchmark;
import io.weir.ingest.wire.dpdk.DpdkCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * Measures live sources to rows per source, on one core: frames of DPDK, and datagrams of GPVs from
 * memory and over the loopback. A peer receives the same, in turns with Weir.
 */
final class LiveWireSuite {
    /** The buffers of a card's queues hold so many frames. */
    private static final TrafficShape FEW = TrafficShape.of(8_000, 2_500, 2);

    /** No cache holds so many, and no card. */
    private static final TrafficShape MANY = TrafficShape.of(200_000, 60_000, 2);

    private static final int GPV_SOURCES = 60_000;
    private static final int DATAGRAM_BYTES = 96;
    private static final Path LOOPBACK = Path.of("benchmarks", "native", "udp", "loopback.c");
    private static final double PEER_SECONDS = 3;

    private final Effort effort;
    private final Path outputs;
    private final Consumer<Row> sink;

    LiveWireSuite(Effort effort, Path outputs, Consumer<Row> sink) {
        this.effort = effort;
        this.outputs = outputs;
        this.sink = sink;
    }

    /** The packets per second of a program that receives the same; empty without it. */
    private interface PeerRate {
        OptionalDouble get() throws IOException;
    }

    void run() throws IOException {
        if (DpdkCheck.isLoaded()) {
            dpdk("wire_dpdk_to_rows", FEW, 96);
            dpdk("wire_dpdk_to_rows", FEW, 64);
            dpdk("wire_dpdk_from_memory_to_rows", MANY, 96);
        } else {
            System.err.println("no rows of DPDK, which is not installed");
        }
        Map<String, Object> gpvs = what("flow32", DATAGRAM_BYTES, GPV_SOURCES);
        measure("gpvs", "wire_gpvs_to_rows", gpvs, Map.of(), "", OptionalDouble::empty);
        Optional<String> program = LoopbackProgram.build(LOOPBACK, outputs);
        if (program.isPresent()) {
            String path = program.get();
            measure(
                    "udp",
                    "wire_gpv_udp_to_rows",
                    what("flow32", DATAGRAM_BYTES, 1),
                    Map.of("program", path),
                    "recvmmsg",
                    () -> OptionalDouble.of(LoopbackProgram.received(path, PEER_SECONDS)));
        }
    }

    private void dpdk(String work, TrafficShape shape, int frameBytes) throws IOException {
        Path capture = outputs.resolve(shape.fileName() + "-f" + frameBytes + ".pcap");
        try {
            CaptureFile.write(shape, frameBytes, capture);
            measure(
                    "dpdk",
                    work,
                    what("full", frameBytes, SourceTotals.of(shape).hash().rows()),
                    Map.of("file", capture),
                    Testpmd.NAME,
                    () -> Testpmd.rate(capture, shape.packets()));
        } finally {
            Files.deleteIfExists(capture);
        }
    }

    private static Map<String, Object> what(String layout, int frameBytes, long groups) {
        Map<String, Object> what = new LinkedHashMap<>();
        what.put("layout", layout);
        what.put("frame_bytes", frameBytes);
        what.put("groups", groups);
        return what;
    }

    private void measure(
            String method,
            String work,
            Map<String, Object> what,
            Map<String, Object> params,
            String peerName,
            PeerRate peer)
            throws IOException {
        List<JmhRun> runs = new ArrayList<>();
        List<Double> peers = new ArrayList<>();
        for (int round = 0; round < effort.rounds(); round++) {
            runs.add(JmhRun.of(WireBenchmark.class, method, params, effort));
            peer.get().ifPresent(rate -> peers.add(rate / 1e6));
        }
        JmhRun weir = JmhRun.median(runs);
        Map<String, Object> more = new LinkedHashMap<>();
        if (!peers.isEmpty()) {
            more.put("wire_peer", peerName);
            more.put("wire_peer_mpps", Median.of(peers));
            more.put("ratio_wire_peer", weir.mpps() / Median.of(peers));
        }
        String name = work + "_" + what.get("frame_bytes");
        sink.accept(Row.alone(name, what, weir.mpps(), weir.hashOk(), more));
    }
}

package io.weir.bench;

import io.weir.bench.capture.CaptureBenchmark;
import io.weir.bench.command.CommandRun;
import io.weir.bench.command.PeerCommand;
import io.weir.bench.generate.CaptureFile;
import io.weir.bench.generate.TrafficShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measures the way of packets from a capture to rows: parser and GPV cache from memory, the file to
 * rows, and the whole command. A peer reads the same file, in turns with Weir. One core. {@link
 * LiveWireSuite} follows.
 */
final class WireSuite {
    /** A capture of 1 GB has so many packets. */
    private static final TrafficShape SHAPE = TrafficShape.of(10_800_000, 617_000, 2);

    /** Bytes of a frame that are kept. */
    private static final List<Integer> FRAMES = List.of(96, 64);

    private final Effort effort;
    private final List<String> launcher;
    private final TrafficShape shape;
    private final Path outputs;
    private final Consumer<Row> sink;

    WireSuite(Effort effort, List<String> launcher, Path outputs, Consumer<Row> sink) {
        this(effort, launcher, SHAPE, outputs, sink);
    }

    WireSuite(
            Effort effort,
            List<String> launcher,
            TrafficShape shape,
            Path outputs,
            Consumer<Row> sink) {
        this.effort = effort;
        this.launcher = launcher;
        this.shape = shape;
        this.outputs = outputs;
        this.sink = sink;
    }

    void run() throws IOException {
        ResultHash expected = SourceTotals.of(shape).hash();
        for (int frameBytes : FRAMES) {
            Path capture = outputs.resolve(shape.fileName() + "-f" + frameBytes + ".pcap");
            try {
                CaptureFile.write(shape, frameBytes, capture);
                measure(capture, frameBytes, expected);
            } finally {
                Files.deleteIfExists(capture);
            }
        }
        new LiveWireSuite(effort, outputs, sink).run();
    }

    private void measure(Path capture, int frameBytes, ResultHash expected) throws IOException {
        Map<String, Object> what = new LinkedHashMap<>();
        what.put("layout", "full");
        what.put("frame_bytes", frameBytes);
        what.put("packets", shape.packets());
        what.put("groups", expected.rows());
        Map<String, Object> params = CaptureSuite.params(capture, shape, expected, "full");
        steady("memory", "wire_parser_and_cache", what, params, PeerCommand.NONE);
        steady("rows", "wire_capture_to_rows", what, params, PeerCommand.tcpdump(capture));
        command(capture, what, expected);
    }

    private void steady(
            String method,
            String work,
            Map<String, Object> what,
            Map<String, Object> params,
            PeerCommand peer)
            throws IOException {
        List<JmhRun> runs = new ArrayList<>();
        List<Double> peers = new ArrayList<>();
        for (int round = 0; round < effort.rounds(); round++) {
            runs.add(JmhRun.of(CaptureBenchmark.class, method, params, effort));
            peer.seconds(outputs).ifPresent(peers::add);
        }
        JmhRun weir = JmhRun.median(runs);
        sink.accept(row(work, what, weir.mpps(), weir.hashOk(), peer, peers));
    }

    private void command(Path capture, Map<String, Object> what, ResultHash expected)
            throws IOException {
        PeerCommand peer = PeerCommand.nfpcapd(capture);
        List<Double> seconds = new ArrayList<>();
        List<Double> peers = new ArrayList<>();
        boolean isRight = true;
        for (int round = 0; round < effort.rounds(); round++) {
            CommandRun run = CommandRun.of(launcher, capture, outputs);
            seconds.add(run.seconds());
            isRight &= run.result().value() == expected.value();
            isRight &= run.result().rows() == expected.rows();
            peer.seconds(outputs).ifPresent(peers::add);
        }
        double mpps = shape.packets() / Median.of(seconds) / 1e6;
        sink.accept(row("wire_command", what, mpps, isRight, peer, peers));
    }

    private Row row(
            String work,
            Map<String, Object> what,
            double mpps,
            boolean isRight,
            PeerCommand peer,
            List<Double> peers) {
        Map<String, Object> more = new LinkedHashMap<>();
        if (!peers.isEmpty()) {
            double peerMpps = shape.packets() / Median.of(peers) / 1e6;
            more.put("wire_peer", peer.name());
            more.put("wire_peer_mpps", peerMpps);
            more.put("ratio_wire_peer", mpps / peerMpps);
        }
        return Row.alone(work + "_" + what.get("frame_bytes"), what, mpps, isRight, more);
    }
}

package io.weir.bench;

import io.weir.bench.capture.CaptureBenchmark;
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
 * Measures captures through decoder and cache into the ring, and to rows per source, in one
 * process.
 */
final class CaptureSuite {
    private static final TrafficShape SHAPE = TrafficShape.of(4_000_000, 130_000, 3);

    private final Effort effort;
    private final Path outputs;
    private final Consumer<Row> sink;

    CaptureSuite(Effort effort, Path outputs, Consumer<Row> sink) {
        this.effort = effort;
        this.outputs = outputs;
        this.sink = sink;
    }

    void run() throws IOException {
        Path capture = outputs.resolve(SHAPE.fileName() + ".pcap");
        ResultHash expected = SourceTotals.of(SHAPE).hash();
        try {
            CaptureFile.write(SHAPE, CaptureFile.HEADERS_ONLY, capture);
            for (String layout : List.of("full", "flow32")) {
                Map<String, Object> params = params(capture, SHAPE, expected, layout);
                measure("ring", "capture_to_ring", params, expected.rows());
                measure("rows", "capture_to_rows", params, expected.rows());
            }
        } finally {
            Files.deleteIfExists(capture);
        }
    }

    static Map<String, Object> params(
            Path capture, TrafficShape shape, ResultHash expected, String layout) {
        return Map.of(
                "file", capture.toAbsolutePath(),
                "packets", shape.packets(),
                "hash", Long.toHexString(expected.value()),
                "layout", layout);
    }

    private void measure(String method, String work, Map<String, Object> params, long groups) {
        List<JmhRun> runs = new ArrayList<>();
        for (int round = 0; round < effort.rounds(); round++) {
            runs.add(JmhRun.of(CaptureBenchmark.class, method, params, effort));
        }
        JmhRun weir = JmhRun.median(runs);
        Map<String, Object> what = new LinkedHashMap<>();
        what.put("layout", params.get("layout"));
        what.put("packets", params.get("packets"));
        what.put("groups", groups);
        sink.accept(
                Row.alone(
                        work,
                        what,
                        weir.mpps(),
                        weir.hashOk(),
                        Map.of("bytes_per_op", weir.bytesPerOp())));
    }
}

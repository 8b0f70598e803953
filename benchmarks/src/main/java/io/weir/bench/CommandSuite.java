package io.weir.bench;

import io.weir.bench.command.CommandRun;
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
import java.util.function.ToLongFunction;

/**
 * Measures {@code weir run} over a capture of more than 1 GB. It reports the rate from file to
 * printed rows, and the memory under the launcher's own heap limit.
 */
final class CommandSuite {
    /** Headers only: 99 bytes each in the file, a good 1 GB together. */
    private static final TrafficShape SHAPE = TrafficShape.of(10_800_000, 617_000, 2);

    private final int rounds;
    private final List<String> launcher;
    private final TrafficShape shape;
    private final Path outputs;
    private final Consumer<Row> sink;

    CommandSuite(Effort effort, List<String> launcher, Path outputs, Consumer<Row> sink) {
        this(effort.rounds(), launcher, SHAPE, outputs, sink);
    }

    CommandSuite(
            int rounds,
            List<String> launcher,
            TrafficShape shape,
            Path outputs,
            Consumer<Row> sink) {
        this.rounds = rounds;
        this.launcher = launcher;
        this.shape = shape;
        this.outputs = outputs;
        this.sink = sink;
    }

    void run() throws IOException {
        Path capture = outputs.resolve(shape.fileName() + ".pcap");
        try {
            CaptureFile.write(shape, CaptureFile.HEADERS_ONLY, capture);
            List<CommandRun> runs = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                runs.add(CommandRun.of(launcher, capture, outputs));
            }
            sink.accept(row(runs, Files.size(capture)));
        } finally {
            Files.deleteIfExists(capture);
        }
    }

    private Row row(List<CommandRun> runs, long captureBytes) {
        ResultHash expected = SourceTotals.of(shape).hash();
        double seconds = Median.of(runs.stream().map(CommandRun::seconds).toList());
        Map<String, Object> more = new LinkedHashMap<>();
        more.put("capture_bytes", captureBytes);
        more.put("seconds", seconds);
        more.put("rss_bytes", most(runs, CommandRun::rssBytes));
        more.put("rss_own_bytes", most(runs, CommandRun::rssOwnBytes));
        more.put("heap_bytes", most(runs, CommandRun::heapBytes));
        Map<String, Object> what = new LinkedHashMap<>();
        what.put("layout", "full");
        what.put("packets", shape.packets());
        what.put("groups", expected.rows());
        return Row.alone(
                "command",
                what,
                shape.packets() / seconds / 1e6,
                runs.stream().allMatch(run -> isRight(run.result(), expected)),
                more);
    }

    private static long most(List<CommandRun> runs, ToLongFunction<CommandRun> part) {
        return runs.stream().mapToLong(part).max().orElse(0);
    }

    private static boolean isRight(ResultHash result, ResultHash expected) {
        return result.value() == expected.value() && result.rows() == expected.rows();
    }
}

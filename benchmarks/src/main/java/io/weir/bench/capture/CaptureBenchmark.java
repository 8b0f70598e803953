package io.weir.bench.capture;

import io.weir.bench.PacketCount;
import io.weir.bench.ResultHash;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures a capture file, in the page cache, on one core: to GPVs in the ring, and to rows. An
 * operation is the whole file.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class CaptureBenchmark {
    /** The file, and its right answer. */
    @Param("")
    public String file;

    @Param("0")
    public long packets;

    @Param("0")
    public String hash;

    @Param("full")
    public String layout;

    private CaptureRun run;
    private ParserRun parser;

    @Setup(Level.Trial)
    public void start() throws IOException {
        run = new CaptureRun(Path.of(file), layout);
        parser = new ParserRun(Path.of(file));
    }

    /** Records in memory, to GPVs of the layout full in the ring. */
    @Benchmark
    public void memory(PacketCount count) {
        check(parser.toRing());
        count.packets += packets;
    }

    @Benchmark
    public void ring(PacketCount count) {
        check(run.toRing());
        count.packets += packets;
    }

    @Benchmark
    public void rows(PacketCount count) {
        check(run.toRows());
        count.packets += packets;
    }

    /** The GPVs are checked too, although the ring's consumer does not read them. */
    @TearDown(Level.Trial)
    public void end() {
        check(run.toRows());
        check(parser.toRows());
        parser.close();
    }

    private void check(long seen) {
        if (seen != packets) {
            throw new IllegalStateException(seen + " packets, not " + packets);
        }
    }

    private void check(ResultHash rows) {
        if (!Long.toHexString(rows.value()).equals(hash)) {
            throw new IllegalStateException(
                    Long.toHexString(rows.value()) + " is the rows' hash, not " + hash);
        }
    }
}

package io.weir.bench.wire;

import io.weir.bench.PacketCount;
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
 * Measures live sources to rows, on one core. An operation is a million packets. At the end rows
 * and account are checked over all of them.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class WireBenchmark {
    private static final long OPERATION = 1 << 20;

    /** The frames of a capture, from DPDK. */
    @State(Scope.Benchmark)
    public static class Frames {
        @Param("")
        public String file;

        private DpdkFrames run;

        @Setup(Level.Trial)
        public void start() throws IOException {
            run = new DpdkFrames(Path.of(file));
        }

        @TearDown(Level.Trial)
        public void end() {
            try (DpdkFrames ended = run) {
                ended.end();
            }
        }
    }

    /** Datagrams of GPVs, from memory. */
    @State(Scope.Benchmark)
    public static class Gpvs {
        private MemoryGpvs run;

        @Setup(Level.Trial)
        public void start() {
            run = new MemoryGpvs();
        }

        @TearDown(Level.Trial)
        public void end() {
            try (MemoryGpvs ended = run) {
                ended.end();
            }
        }
    }

    /** Datagrams of GPVs, over the loopback. */
    @State(Scope.Benchmark)
    public static class Loopback {
        @Param("")
        public String program;

        private LoopbackGpvs run;

        @Setup(Level.Trial)
        public void start() throws IOException {
            run = new LoopbackGpvs(program);
        }

        @TearDown(Level.Trial)
        public void end() throws IOException {
            try (LoopbackGpvs ended = run) {
                ended.end();
            }
        }
    }

    @Benchmark
    public void dpdk(Frames frames, PacketCount count) {
        count.packets += frames.run.read(OPERATION);
    }

    @Benchmark
    public void gpvs(Gpvs gpvs, PacketCount count) {
        count.packets += gpvs.run.read(OPERATION);
    }

    @Benchmark
    public void udp(Loopback loopback, PacketCount count) {
        count.packets += loopback.run.read(OPERATION);
    }
}

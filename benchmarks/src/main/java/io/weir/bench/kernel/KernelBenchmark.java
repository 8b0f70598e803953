package io.weir.bench.kernel;

import io.weir.bench.PacketCount;
import io.weir.bench.generate.GpvTrace;
import io.weir.bench.kernel.Work.State;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Runs the kernels of a work under JMH, for its profilers; an operation is the whole trace. The
 * command {@code weir bench} measures with {@link KernelWorker}, in turns with the native baseline.
 */
@org.openjdk.jmh.annotations.State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class KernelBenchmark {
    @Param("per_source_600k")
    public String work;

    @Param("flow32")
    public String layout;

    @Param("WARM")
    public String state;

    /** The trace from {@link GpvTrace#write}, of the same layout. */
    @Param("")
    public String file;

    private KernelRun run;

    @Setup(Level.Trial)
    public void start() throws IOException {
        Work measured = Works.named(Set.of(work)).get(0);
        GpvTrace trace = GpvTrace.open(Path.of(file));
        run = new KernelRun(measured.query(), layout, State.valueOf(state), trace);
    }

    @Benchmark
    public void trace(PacketCount count) {
        run.prepare();
        run.pass();
        count.packets += run.packets();
    }

    @TearDown(Level.Trial)
    public void end() {
        run.check();
        run.close();
    }
}

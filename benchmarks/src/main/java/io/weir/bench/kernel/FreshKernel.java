package io.weir.bench.kernel;

import io.weir.bench.PacketCount;
import io.weir.bench.generate.TrafficShape;
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
 * The kernel on a whole trace with a table that starts empty and grows: a run over a file. An
 * operation is the trace, with making the state; not with rendering the result's rows.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class FreshKernel {
    @Param("617000")
    public int sources;

    @Param("18600000")
    public long packets;

    @Param("flow32")
    public String layout;

    @Param("0")
    public int ipv6Percent;

    private KernelRun run;

    @Setup(Level.Trial)
    public void start() {
        run = new KernelRun(TrafficShape.of(packets, sources, 1).withIpv6(ipv6Percent), layout);
    }

    @Benchmark
    public void trace(PacketCount count) {
        run.renew();
        count.packets += run.pass();
    }

    @TearDown(Level.Trial)
    public void end() {
        run.check();
        run.close();
    }
}

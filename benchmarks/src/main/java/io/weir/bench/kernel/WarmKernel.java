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
 * The kernel on one block of GPVs, with a table that has all groups: running totals in the long
 * run. An operation is a block of 64 KiB.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class WarmKernel {
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
        run.pass();
    }

    @Benchmark
    public void block(PacketCount count) {
        count.packets += run.block();
    }

    @TearDown(Level.Trial)
    public void end() {
        run.check();
        run.close();
    }
}

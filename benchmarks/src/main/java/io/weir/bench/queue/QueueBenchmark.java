package io.weir.bench.queue;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Figure 3 of the HotCloud paper: numbers from one thread to another. An operation is one number.
 * Run it on one core and on two.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class QueueBenchmark {
    static final int NUMBERS = 1 << 19;

    @Param({
        "lock_array",
        "lock_linked",
        "linked",
        "agrona_linked",
        "jctools_linked",
        "agrona_array",
        "jctools_chunked",
        "jctools_array",
        "ring_messages",
        "ring_blocks"
    })
    public String queue;

    @Param("true")
    public boolean yields;

    private Lane lane;
    private Thread consumer;
    private volatile boolean stopped;
    private volatile int asked;
    private volatile int answered;
    private volatile long sum;

    @Setup(Level.Trial)
    public void start() {
        lane = Lane.of(queue, yields);
        consumer = new Thread(this::consume, "consumer");
        consumer.start();
    }

    private void consume() {
        int round = 0;
        while (!stopped) {
            if (asked == round) {
                lane.idle();
                continue;
            }
            round++;
            sum = lane.receive(NUMBERS);
            answered = round;
        }
    }

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public void pass() {
        int round = asked + 1;
        asked = round;
        lane.send(NUMBERS);
        while (answered != round) {
            lane.idle();
        }
        if (sum != Lane.sumOf(NUMBERS)) {
            throw new IllegalStateException(queue + ": the sum is " + sum);
        }
    }

    @TearDown(Level.Trial)
    public void stop() throws InterruptedException {
        stopped = true;
        consumer.join();
        lane.close();
    }
}

package io.weir.bench;

import io.weir.bench.queue.QueueBenchmark;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir bench queues}. */
@Command(
        name = "queues",
        mixinStandardHelpOptions = true,
        description =
                "Measures Weir's ring beside queues with a lock, linked ones, and those of JCTools"
                        + " and Agrona, in million numbers per second. Start it under taskset -c 1"
                        + " for one core, taskset -c 0,1 for two.")
final class QueuesCommand implements Callable<Integer> {
    @Option(names = "--spin", description = "who waits spins; else it yields the core")
    private boolean isSpinning;

    @Option(names = "--forks", defaultValue = "1", paramLabel = "N")
    private int forks;

    @Override
    public Integer call() throws RunnerException {
        new Comparison(QueueBenchmark.class, forks)
                .with("yields", isSpinning ? "false" : "true")
                .run()
                .forEach(System.out::println);
        return 0;
    }
}

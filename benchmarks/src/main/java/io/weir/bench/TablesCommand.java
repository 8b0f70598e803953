package io.weir.bench;

import io.weir.bench.table.TableBenchmark;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir bench tables}. */
@Command(
        name = "tables",
        mixinStandardHelpOptions = true,
        description =
                "Measures an 8-way cuckoo table beside linear probing at loads of 50 to 95 %: "
                        + "updates of entries and insertions, in millions per second.")
final class TablesCommand implements Callable<Integer> {
    @Option(names = "--forks", defaultValue = "1", paramLabel = "N")
    private int forks;

    @Option(
            names = "--slots",
            split = ",",
            defaultValue = "15,20",
            paramLabel = "LOG2",
            description = "logarithms of the tables' slots: ${DEFAULT-VALUE}")
    private String[] slots;

    @Override
    public Integer call() throws RunnerException {
        new Comparison(TableBenchmark.class, forks)
                .with("slotsLog2", slots)
                .run()
                .forEach(System.out::println);
        return 0;
    }
}

package io.weir.bench.kernel;

import io.weir.bench.ResultHash.Answer;
import io.weir.bench.generate.GpvTrace;
import io.weir.bench.generate.TrafficShape;
import io.weir.bench.kernel.Work.State;
import io.weir.operators.graph.Query;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.MapCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/** Built-in aggregates beside copies of them by CREATE AGGREGATE, in turns, on one thread. */
public final class AggregateFigures {
    private static final int SOURCES = 10_000;
    private static final String FLOW = "src_addr, dst_addr, src_port, dst_port, proto";

    /** Copies of built-in aggregates, each a statement. */
    private static final String COPIES =
            """
            CREATE AGGREGATE my_count() STATE (n BIGINT = 0)
                UPDATE n = n + 1 RETURN n MERGE n = n + other.n;
            CREATE AGGREGATE my_sum(x BIGINT) STATE (total BIGINT = 0)
                UPDATE total = total + x RETURN total MERGE total = total + other.total;
            CREATE AGGREGATE my_max(x BIGINT) STATE (most BIGINT = 0)
                UPDATE most = GREATEST(most, x) RETURN most MERGE most = GREATEST(most, other.most);
            CREATE AGGREGATE my_mean(x BIGINT) STATE (total BIGINT = 0, n BIGINT = 0)
                UPDATE total = total + x, n = n + 1
                RETURN CASE WHEN n > 0 THEN CAST(total AS DOUBLE) / n END
                MERGE total = total + other.total, n = n + other.n;
            CREATE AGGREGATE my_non_monotonic(seq BIGINT)
                STATE (greatest BIGINT = -1, below BIGINT = 0)
                UPDATE greatest = GREATEST(greatest, seq),
                    below = below + CASE WHEN seq < greatest THEN 1 ELSE 0 END
                RETURN below;
            """;

    private AggregateFigures() {}

    /** Prints millions of packets a second of each pair, and the copy's share of the built-in. */
    public static void print(int packets) {
        try {
            GpvTrace trace = GpvTrace.unnamed(TrafficShape.of(packets, SOURCES, 1), "full");
            System.out.printf("%d packets of %d sources, full%n", packets, SOURCES);
            pair("COUNT(*)", "my_count(*)", "src_addr", trace);
            pair("SUM(bytes)", "my_sum(bytes)", "src_addr", trace);
            pair("MAX(bytes)", "my_max(bytes)", "src_addr", trace);
            pair("AVG(bytes)", "my_mean(bytes)", "src_addr", trace);
            pair("NON_MONOTONIC(tcp_seq)", "my_non_monotonic(tcp_seq)", FLOW, trace);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pair(String builtIn, String copy, String keys, GpvTrace trace) {
        try (KernelRun first = run(builtIn, keys, trace);
                KernelRun second = run(copy, keys, trace)) {
            KernelRates rates = new KernelRates(first, second);
            List<Answer> answers = rates.answers();
            if (!answers.get(0).equals(answers.get(1))) {
                throw new IllegalStateException(copy + " has other rows than " + builtIn);
            }
            KernelRates.print(builtIn, rates.median(0), answers.get(0));
            String share = String.format(Locale.ROOT, "%.2f x", rates.median(1) / rates.median(0));
            KernelRates.print(copy, rates.median(1), share);
        }
    }

    private static KernelRun run(String aggregate, String keys, GpvTrace trace) {
        String sql = "SELECT %s, %s AS x FROM packets GROUP BY %s".formatted(keys, aggregate, keys);
        List<Statement> statements = new SqlFrontend(new MapCatalog()).parse(COPIES + sql);
        Query query = ((Statement.Select) statements.get(statements.size() - 1)).query();
        return new KernelRun(query, "full", State.WARM, trace);
    }
}

package io.weir.bench.kernel;

import io.weir.bench.generate.GpvTrace;
import io.weir.bench.generate.TrafficShape;
import io.weir.bench.kernel.Work.State;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.TableSchema;
import io.weir.operators.graph.TableSchema.Match;
import io.weir.operators.graph.Type;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.table.StoredTable;
import io.weir.operators.table.TableBuilder;
import io.weir.operators.table.TableBuilder.DuplicateKey;
import io.weir.sql.SqlFrontend;
import io.weir.sql.catalog.MapCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Looks the sources of a trace up in a table of prefixes. The kernel of a query does it, on one
 * thread, beside the same query without the table. IPv4 prefixes are as those of routers: most have
 * 24 bits.
 */
public final class LookupFigures {
    private static final int SOURCES = 617_000;
    private static final int OWNERS = 1_000;

    private static final TableSchema SCHEMA =
            new TableSchema(
                    List.of(
                            Variable.column("net", Type.INET),
                            Variable.column("net_length", Type.BIGINT),
                            Variable.column("owner", Type.BIGINT.orNull())),
                    List.of(0, 1),
                    Match.PREFIX);

    private static final String FROM = "SELECT COUNT(*) AS n, SUM(bytes) AS bytes FROM packets";

    private LookupFigures() {}

    /** Prints millions of packets a second. */
    public static void print(int prefixes, long packets) {
        try (NativeAllocator allocator = new NativeAllocator(4L << 30);
                StoredTable table = table(prefixes, allocator)) {
            TrafficShape shape = TrafficShape.of(packets, SOURCES, 1);
            GpvTrace trace = GpvTrace.unnamed(shape, "flow32");
            System.out.printf(
                    Locale.ROOT,
                    "%d prefixes, %d MB; %d packets of %d sources, flow32%n",
                    table.content().count(),
                    table.content().bytes() >> 20,
                    packets,
                    SOURCES);
            report("no lookup", query(FROM, table), trace);
            report(
                    "owner of the source",
                    query(
                            "SELECT owner, COUNT(*) AS n, SUM(bytes) AS bytes FROM packets"
                                    + " LEFT JOIN nets ON src_addr = nets.net GROUP BY owner",
                            table),
                    trace);
            report(
                    "sources in the table",
                    query(FROM + " WHERE src_addr IN (SELECT net FROM nets)", table),
                    trace);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Query query(String sql, StoredTable table) {
        MapCatalog catalog = new MapCatalog();
        catalog.put(table);
        return new SqlFrontend(catalog).parseQuery(sql, Map.of()).query();
    }

    private static void report(String what, Query query, GpvTrace trace) {
        try (KernelRun run = new KernelRun(query, "flow32", State.WARM, trace)) {
            KernelRates rates = new KernelRates(run);
            KernelRates.print(what, rates.median(0), rates.answers().get(0));
        }
    }

    private static StoredTable table(int prefixes, NativeAllocator allocator) {
        Random random = new Random(1);
        try (TableBuilder builder = new TableBuilder(allocator, SCHEMA)) {
            Set<Long> known = new HashSet<>();
            while (builder.rows() < prefixes) {
                int kind = random.nextInt(10);
                int bits =
                        kind < 6 ? 24 : kind < 9 ? 16 + random.nextInt(8) : 25 + random.nextInt(8);
                int network = random.nextInt() & (int) (-1L << 32 - bits);
                if (known.add((long) network << 8 | bits)) {
                    builder.add(Inet.v4(network), (long) bits, (long) random.nextInt(OWNERS));
                }
            }
            return new StoredTable("nets", SCHEMA, builder.build("", 0));
        } catch (DuplicateKey never) {
            throw new IllegalStateException(never);
        }
    }
}

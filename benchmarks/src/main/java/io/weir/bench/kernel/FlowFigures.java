package io.weir.bench.kernel;

import io.weir.bench.generate.GpvTrace;
import io.weir.bench.generate.TrafficShape;
import io.weir.bench.kernel.Work.State;
import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.graph.Query;
import io.weir.sql.SqlFrontend;
import io.weir.sql.catalog.MapCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;

/** Puts flows together from GPVs on one thread, as *Flow's agent does. */
public final class FlowFigures {
    private static final int SOURCES = 100_000;

    private static final String NETFLOW =
            "src_addr, dst_addr, src_port, dst_port, proto, packets, bytes, time_flow_start,"
                    + " time_flow_end, tcp_flags";

    private FlowFigures() {}

    /** Prints millions of GPVs a second. */
    public static void print(int packets) {
        try {
            GpvTrace trace = GpvTrace.unnamed(TrafficShape.of(packets, SOURCES, 1), "full");
            double gpvs = gpvs(trace);
            System.out.printf(Locale.ROOT, "%d packets in %.0f GPVs, full%n", packets, gpvs);
            report("packets and bytes", "packets, bytes", trace, gpvs);
            report("as NetFlow has them", NETFLOW, trace, gpvs);
            report("all of flows", "*", trace, gpvs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void report(String what, String columns, GpvTrace trace, double gpvs) {
        String sql = "SELECT " + columns + " FROM flows";
        Query query = new SqlFrontend(new MapCatalog()).parseQuery(sql, Map.of()).query();
        try (KernelRun run = new KernelRun(query, "full", State.WARM, trace)) {
            KernelRates rates = new KernelRates(run);
            double ofGpvs = rates.median(0) * gpvs / run.packets();
            String more = String.format(Locale.ROOT, "%.1f M GPVs/s, ", ofGpvs);
            KernelRates.print(what, rates.median(0), more + rates.answers().get(0));
        }
    }

    private static double gpvs(GpvTrace trace) {
        BlockCursor cursor = new BlockCursor(true);
        double gpvs = 0;
        for (int block = 0; block < trace.blocks(); block++) {
            cursor.wrap(trace.blockAddress(block), GpvTrace.BLOCK_BYTES);
            while (cursor.nextSegment()) {
                gpvs += cursor.gpvs();
            }
        }
        return gpvs;
    }
}

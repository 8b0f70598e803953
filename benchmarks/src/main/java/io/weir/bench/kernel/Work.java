package io.weir.bench.kernel;

import io.weir.bench.generate.TrafficShape;
import io.weir.operators.graph.Query;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.library.LibraryQuery;
import io.weir.sql.library.QueryLibrary;
import java.util.List;
import java.util.Map;

/**
 * A query that is measured on a trace, beside C++ that does the same.
 *
 * @param name what rows call it; several works may be the same query on other traffic
 * @param nativeName of the C++ that does it
 * @param text where the SQL is from
 * @param threshold TH of the query; small, so that the check sees many rows
 * @param states in which it is measured
 * @param layouts that it is measured in; each carries the columns
 * @param sources of the traffic
 * @param packets of the traffic, as a share of the effort's
 * @param ipv6Percent of the sources
 */
public record Work(
        String name,
        String nativeName,
        Text text,
        long threshold,
        List<State> states,
        List<String> layouts,
        int sources,
        int packets,
        int ipv6Percent) {

    /** When a pass begins. */
    public enum State {
        /** The tables are empty, and nothing is known of what comes: a query's first window. */
        FIRST,
        /** The tables are empty, and made as large as those of the pass before had to be. */
        FRESH,
        /** The tables have all groups: running totals in the long run. */
        WARM;

        /** As the C++ has it, which is always told how many groups will come. */
        public String nativeName() {
            return this == WARM ? "warm" : "fresh";
        }
    }

    /** Where the SQL is from: the library, or this place, with the parameters that are set. */
    public record Text(String libraryName, String sql) {
        static Text library(String name) {
            return new Text(name, null);
        }

        static Text sql(String sql) {
            return new Text(null, sql);
        }
    }

    public Work {
        states = List.copyOf(states);
        layouts = List.copyOf(layouts);
    }

    /** As the planner has it. */
    public Query query() {
        Map<String, String> set = Map.of("TH", Long.toString(threshold));
        SqlFrontend frontend = new SqlFrontend(new MapCatalog());
        if (text.sql() != null) {
            return frontend.parseQuery(text.sql(), text.sql().contains(":TH") ? set : Map.of())
                    .query();
        }
        LibraryQuery query = QueryLibrary.load().find(text.libraryName());
        List<Statement> statements =
                query.parse(frontend, query.defaults().containsKey("TH") ? set : Map.of());
        if (statements.size() == 1 && statements.get(0) instanceof Statement.CreateQuery create) {
            return create.query();
        }
        throw new IllegalStateException(text.libraryName() + " is not one query");
    }

    /** Whether the C++ has its keys for IPv4 only: of those with addresses, all but sources. */
    public boolean isIpv4Only() {
        return states.contains(State.FRESH) && !nativeName.equals("per_source");
    }

    /**
     * Whether rows depend on the order of a flow's packets, into which a second pass brings
     * disorder.
     */
    public boolean isOfOrder() {
        return nativeName.startsWith("tcp_");
    }

    /** Its traffic. */
    public TrafficShape shape(long effortPackets) {
        return TrafficShape.of(effortPackets * packets, sources, 1).withIpv6(ipv6Percent);
    }
}

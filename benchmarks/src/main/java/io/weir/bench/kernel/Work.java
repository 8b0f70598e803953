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
 * @param name of its rows; several works may be the same query on other traffic
 * @param nativeName of the C++ that does it
 * @param text the place of the SQL
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

    /** The state when a pass begins. */
    public enum State {
        /** The tables are empty, and nothing is known of what comes: a query's first window. */
        FIRST,
        /** The tables are empty, and made as large as those of the pass before had to be. */
        FRESH,
        /** The tables have all groups: running totals in the long run. */
        WARM;

        /** Returns the name in the C++ program, which is always told the number of groups. */
        public String nativeName() {
            return this == WARM ? "warm" : "fresh";
        }
    }

    /** The place of the SQL: the library, or this class, with the parameters that are set. */
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

    /** Returns the query as the planner makes it. */
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

    /**
     * Returns whether the C++ has its keys for IPv4 only: all works with addresses except the
     * sources.
     */
    public boolean isIpv4Only() {
        return states.contains(State.FRESH) && !nativeName.equals("per_source");
    }

    /**
     * Returns whether rows depend on the order of a flow's packets, which a second pass disturbs.
     */
    public boolean isOfOrder() {
        return nativeName.startsWith("tcp_");
    }

    /** Returns its traffic. */
    public TrafficShape shape(long effortPackets) {
        return TrafficShape.of(effortPackets * packets, sources, 1).withIpv6(ipv6Percent);
    }
}

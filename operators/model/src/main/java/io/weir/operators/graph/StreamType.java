package io.weir.operators.graph;

import java.util.Optional;

/**
 * A stream that a query reads, by its properties. {@link Operator.Scan} carries it beside the
 * columns and the time of its rows. Code asks for the property that it means, never for a name.
 *
 * @param carrier the form in which its rows come
 * @param origin the maker of its rows
 * @param spread the place of its rows in a cluster
 * @param access the right that a user needs to read it
 */
public record StreamType(
        String name, Carrier carrier, Origin origin, Spread spread, Access access) {

    /** The form of rows between their source and the query. */
    public enum Carrier {
        /** GPVs in blocks of a ring. Kernels on pipelines read them in place. */
        GPVS,
        /** Batches of rows, on the results' thread. */
        ROWS
    }

    /** The maker of rows. */
    public enum Origin {
        /** A source, as a capture file. */
        SOURCE,
        /** A running query, which has the stream's name. */
        QUERY
    }

    /** The place of rows in a cluster. */
    public enum Spread {
        /** Each worker has the rows of its own nodes, on all its pipelines. */
        OVER_WORKERS,
        /** The rows are where their query makes them, in one piece. */
        WITH_ITS_QUERY
    }

    /** The right that reading needs. */
    public enum Access {
        /** The stream shows single packets: the right to ask questions about them. */
        TRAFFIC,
        /** The stream shows results: the right to read them. */
        RESULTS
    }

    /** All packets. */
    public static final StreamType PACKETS =
            new StreamType(
                    "packets", Carrier.GPVS, Origin.SOURCE, Spread.OVER_WORKERS, Access.TRAFFIC);

    /** Returns the stream of this name that sources make; empty if this release has none. */
    public static Optional<StreamType> ofSource(String name) {
        return PACKETS.name.equals(name) ? Optional.of(PACKETS) : Optional.empty();
    }

    /** Returns the type of the rows of a query. */
    public static StreamType ofQuery(String name) {
        return new StreamType(
                name, Carrier.ROWS, Origin.QUERY, Spread.WITH_ITS_QUERY, Access.RESULTS);
    }

    /** Returns whether kernels read it from GPVs. */
    public boolean comesAsGpvs() {
        return carrier == Carrier.GPVS;
    }

    /** Returns whether its rows are those of the query with its name. */
    public boolean isOfQuery() {
        return origin == Origin.QUERY;
    }

    /** Returns whether each worker, and each pipeline, has a part of it. */
    public boolean isSpread() {
        return spread == Spread.OVER_WORKERS;
    }
}

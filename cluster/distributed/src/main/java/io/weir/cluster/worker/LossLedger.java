package io.weir.cluster.worker;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.outbox.OutboxNote;
import io.weir.cluster.protocol.PacketCounts;
import io.weir.cluster.wire.KeptTold;
import io.weir.cluster.wire.QueryTold;
import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowEnds;
import io.weir.operators.result.QueryShape;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts, by query, a worker's packets in finished rows, in losses reported by rows, and in windows
 * sent to the merge. The counts are stored beside the outbox after each window's rows. So the next
 * process knows how many packets this one had read that are in no row. Its first rows report them
 * as lost. Queries with WHEN and queries over rows are left out. Any thread.
 *
 * <p>A write stores the changes. It stores everything only after as many changes. So the cost of a
 * window does not grow with the number of queries.
 */
final class LossLedger {
    private static final Logger LOG = LoggerFactory.getLogger(LossLedger.class);
    private static final int FORMAT = 2;

    /** The format of a full record, which replaces all earlier ones. */
    private static final int WHOLE_FORMAT = 1;

    /** Below this size it is not worth it to write unchanged counts again. */
    private static final long LEAST_BYTES = 64 << 10;

    private final OutboxNote note;
    private final Map<String, Told> all = new LinkedHashMap<>();

    /** The counts of the last process for queries that are not here yet. */
    private final Map<String, QueryTold> left = new HashMap<>();

    private long leftLedger;
    private Optional<PacketCounts> counts = Optional.empty();
    private boolean begun;
    private final Set<Told> changed = new LinkedHashSet<>();
    private boolean whole;
    private long mostBytes;

    /** A query, and the packet of the ledger up to which it has reported. */
    private static final class Told {
        final String query;
        final long version;
        final Window emission;

        /** True if its windows are merged. The merge then reports the packets that they lack. */
        final boolean leaves;

        long packets;

        Told(String query, long version, Window emission, boolean leaves, long packets) {
            this.leaves = leaves;
            this.query = query;
            this.version = version;
            this.emission = emission;
            this.packets = packets;
        }
    }

    LossLedger(OutboxNote note) {
        this.note = note;
        note.found().ifPresent(this::read);
    }

    private void read(byte[] bytes) {
        try {
            KeptTold kept = KeptTold.parseFrom(bytes);
            if (kept.getFormat() == FORMAT || kept.getFormat() == WHOLE_FORMAT) {
                leftLedger = kept.getLedger();
                kept.getQueryList().forEach(query -> left.put(query.getQuery(), query));
            }
        } catch (InvalidProtocolBufferException e) {
            LOG.warn(
                    "the counts of packets in rows in {} cannot be read: lost packets are not"
                            + " reported",
                    note);
        }
    }

    /** Sets the counts of packets; before the first query. */
    synchronized void counted(PacketCounts packets) {
        if (packets.ledger() != PacketCounts.NO_LEDGER) {
            counts = Optional.of(packets);
        }
    }

    /** Notes that rows of this version are made here from now on. */
    void attached(Definition query) {
        attached(query, false);
    }

    /**
     * Notes that its windows are merged from now on. A window counts as reported when it is sent.
     */
    void leaves(Definition query) {
        attached(query, true);
    }

    private synchronized void attached(Definition query, boolean leaves) {
        boolean is = query.query().reads().isSpread() && query.query().when().isEmpty();
        if (!is || counts.isEmpty()) {
            detached(query.name());
            return;
        }
        PacketCounts packets = counts.get();
        QueryTold before = begun ? null : left.get(query.name());
        boolean goesOn =
                before != null
                        && before.getVersion() == query.version()
                        && leftLedger == packets.ledger();
        long told =
                goesOn ? before.getPackets() : packets.earlier() + packets.before(Long.MAX_VALUE);
        Window emission = QueryShape.emission(query.query());
        all.put(query.name(), new Told(query.name(), query.version(), emission, leaves, told));
        whole = true;
    }

    /** Notes that its rows are no longer made here. */
    synchronized void detached(String query) {
        whole |= all.remove(query) != null;
    }

    /**
     * Notes that the first packet comes.
     *
     * @param isLatest whether the counts come from this worker's last process
     * @param lacks takes each query that lacks packets of earlier processes and makes rows here,
     *     with the number
     * @return the most packets of earlier processes that a query lacks, wherever its rows are made
     */
    long begin(boolean isLatest, BiConsumer<String, Long> lacks) {
        Map<String, Long> lacking = new LinkedHashMap<>();
        long most = begin(isLatest, lacking);
        lacking.forEach(lacks);
        return most;
    }

    private synchronized long begin(boolean isLatest, Map<String, Long> lacking) {
        begun = true;
        long most = 0;
        long earlier = counts.map(PacketCounts::earlier).orElse(0L);
        for (Told told : all.values()) {
            boolean lacks = told.packets < earlier && isLatest;
            most = lacks ? Math.max(most, earlier - told.packets) : most;
            if (lacks && !told.leaves) {
                lacking.put(told.query, earlier - told.packets);
            } else {
                told.packets = Math.max(told.packets, earlier);
            }
        }
        whole = true;
        keep(OutboxNote.ALWAYS); // in case this process is killed before its first rows
        return most;
    }

    /** Notes that the last rows are all of a window. */
    synchronized void window(String query, long version, long endNs) {
        Told told = all.get(query);
        if (told != null && told.version == version) {
            told(told, endNs);
        }
    }

    /** Notes that all rows of windows that end by then were made. */
    synchronized void passed(long timeNs) {
        all.values().forEach(told -> told(told, WindowEnds.last(told.emission, timeNs)));
    }

    private void told(Told told, long endNs) {
        PacketCounts packets = counts.orElseThrow();
        long own = packets.before(endNs);
        // Without a row of this process, no row has reported the packets of earlier ones.
        if (own > 0 && packets.earlier() + own > told.packets) {
            told.packets = packets.earlier() + own;
            changed.add(told);
        }
    }

    /**
     * Stores the changes for the next process that finds this entry in the outbox. A failed write
     * is repeated with the next entry.
     *
     * @return whether something had changed
     */
    synchronized boolean keep(long entry) {
        if (!whole && changed.isEmpty() || !isWritten(entry)) {
            return false;
        }
        whole = false;
        changed.clear();
        return true;
    }

    private boolean isWritten(long entry) {
        if (!whole && note.bytes() <= mostBytes) {
            return note.add(kept(changed), entry);
        }
        boolean is = note.write(kept(all.values()), entry);
        mostBytes = Math.max(LEAST_BYTES, 2 * note.bytes());
        return is;
    }

    /**
     * Stores again if the outbox did not take that entry. Its rows are lost, and are reported as
     * lost.
     */
    synchronized void keepAgain(long entry) {
        whole = true; // a change that builds on a missing entry would be lost with it
        keep(entry);
    }

    private byte[] kept(Collection<Told> some) {
        KeptTold.Builder kept =
                KeptTold.newBuilder()
                        .setFormat(FORMAT)
                        .setLedger(counts.map(PacketCounts::ledger).orElse(PacketCounts.NO_LEDGER));
        for (Told told : some) {
            kept.addQueryBuilder()
                    .setQuery(told.query)
                    .setVersion(told.version)
                    .setPackets(told.packets);
        }
        return kept.build().toByteArray();
    }
}

package io.weir.cluster.worker;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.outbox.OutboxNote;
import io.weir.cluster.wire.KeptTold;
import io.weir.cluster.wire.QueryTold;
import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowEnds;
import io.weir.operators.merge.PacketCounts;
import io.weir.operators.result.QueryShape;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * How many of a worker's packets are in rows that it has made, or were told as lost there, or are
 * in windows that have left for the merge, by query: kept beside the outbox as it is after each
 * window's rows. So the next process knows how many the one before had read that are in no row, and
 * its first rows tell them as lost. Queries with WHEN are left out, and those over rows. Any
 * thread.
 *
 * <p>What is written is what has changed; all of it only once that has come to as much: so what a
 * window costs does not grow with the queries that there are.
 */
final class RowsTold {
    private static final int FORMAT = 2;

    /** What took the place of all that was told before, each time. */
    private static final int WHOLE_FORMAT = 1;

    /** Below that it is not worth it to write what is still true again. */
    private static final long LEAST_BYTES = 64 << 10;

    private final OutboxNote note;
    private final Consumer<String> failed;
    private final Map<String, Told> all = new LinkedHashMap<>();

    /** By the process before, of those that are not here yet. */
    private final Map<String, QueryTold> left = new HashMap<>();

    private long leftLedger;
    private Optional<PacketCounts> counts = Optional.empty();
    private boolean begun;
    private final Set<Told> changed = new LinkedHashSet<>();
    private boolean whole;
    private long mostBytes;

    /** A query, and up to which packet of the ledger it has told. */
    private static final class Told {
        final String query;
        final long version;
        final Window emission;

        /** Whether its windows are merged: then the merge tells what they lack. */
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

    /**
     * @param failed told once that it cannot be written, or read
     */
    RowsTold(OutboxNote note, Consumer<String> failed) {
        this.note = note;
        this.failed = failed;
        note.onFailure(why -> failed.accept("which packets are in rows cannot be kept: " + why));
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
            failed.accept("which packets are in rows cannot be read: what is lost is not told");
        }
    }

    /** Packets are counted so; before the first query. */
    synchronized void counted(PacketCounts packets) {
        if (packets.ledger() != PacketCounts.NO_LEDGER) {
            counts = Optional.of(packets);
        }
    }

    /** Rows of this version are made here from now on. */
    void attached(Definition query) {
        attached(query, false);
    }

    /** Its windows are merged from now on; that they have left counts as told. */
    void leaves(Definition query) {
        attached(query, true);
    }

    private synchronized void attached(Definition query, boolean leaves) {
        boolean is = query.query().readsPackets() && query.query().when().isEmpty();
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

    /** Its rows are made here no more. */
    synchronized void detached(String query) {
        whole |= all.remove(query) != null;
    }

    /**
     * The first packet comes.
     *
     * @param isLatest whether the process that left it was the last of this worker
     * @param lacks takes each query that lacks packets of processes before, and how many, where its
     *     rows are made here
     * @return how many packets of processes before a query lacks at most, wherever its rows are
     *     made
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
        keep(OutboxNote.ALWAYS); // should this be killed before its first rows
        return most;
    }

    /** The rows that came last are all of a window. */
    synchronized void window(String query, long version, long endNs) {
        Told told = all.get(query);
        if (told != null && told.version == version) {
            told(told, endNs);
        }
    }

    /** All rows of windows that end by then were made. */
    synchronized void passed(long timeNs) {
        all.values().forEach(told -> told(told, WindowEnds.last(told.emission, timeNs)));
    }

    private void told(Told told, long endNs) {
        PacketCounts packets = counts.orElseThrow();
        long own = packets.before(endNs);
        // Before that of this process there is no row that tells of those before.
        if (own > 0 && packets.earlier() + own > told.packets) {
            told.packets = packets.earlier() + own;
            changed.add(told);
        }
    }

    /**
     * Has what has changed be found by the next process that finds this entry in the outbox; what
     * cannot be written is tried again with the next.
     *
     * @return whether something had changed
     */
    synchronized boolean keep(long entry) {
        whole |= note.isBroken();
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

    /** Should that entry not have been taken: the rows are lost, and are told as that. */
    synchronized void keepAgain(long entry) {
        whole = true; // what adds to one of an entry that is not there would go with it
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

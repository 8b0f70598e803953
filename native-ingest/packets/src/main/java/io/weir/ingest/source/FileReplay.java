package io.weir.ingest.source;

import io.weir.ingest.cache.GpvCache;
import io.weir.ingest.cache.PartitionedWriter;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.ingest.packets.PacketCursor;
import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.time.Stopwatch;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Moves one file's packets into its cache. It is always a packet ahead, so its next time is known,
 * unless a pipe has brought none yet. One thread; no allocation per packet.
 */
final class FileReplay implements AutoCloseable {
    /** The packets that {@link #take} takes at a time. */
    static final int BURST = JudgedPackets.KEPT;

    /** By the packets ahead. */
    static final Comparator<FileReplay> BY_TIME =
            Comparator.comparingLong(FileReplay::nextNs)
                    .thenComparingInt(replay -> replay.index)
                    .thenComparingInt(replay -> replay.order);

    private static final int TOO_OLD = BlockLayout.SEGMENT_FLAG_LATE;
    private static final int FROM_FUTURE = TOO_OLD | BlockLayout.SEGMENT_FLAG_FUTURE;

    /** The silence after which the clock tells the time. */
    private static final long SILENCE_NS = 1_000_000_000L;

    /**
     * The greatest distance of a pipe's newest packet from the clock if packets come as they are
     * seen.
     */
    private static final long LIVE_NS = 10_000_000_000L;

    private final PacketCursor file;
    private final GpvCache cache;
    private final PartitionedWriter out;
    private final CaptureStage stage;
    private final PacketGate gate;
    final long latenessNs;
    private final LongSupplier wallNs;
    private final SourceClock clock;
    private final JudgedPackets packets;
    private final int[] places = new int[BURST];
    private final int[] slots = new int[BURST];

    /** Null if Java reads all packets. */
    private final FramePass frames;

    /** The losses that were counted, by their reasons. */
    private final long[] lostBy;

    private boolean inC;
    private int taken;
    private int grouped;
    private int passed;
    private final int order;
    final int index;
    final int nodeSymbol;

    private boolean silent;
    private final Stopwatch silence = Stopwatch.started();
    private long silentFromNs;

    /**
     * @param order of several with a packet of the same time
     * @param index of the file, of which this may be a section
     * @param mayUseC whether C may read what it can
     */
    FileReplay(
            int order,
            int index,
            int nodeSymbol,
            PacketCursor file,
            GpvCache cache,
            PartitionedWriter out,
            CaptureStage stage,
            SourceContext context,
            long latenessNs,
            long shiftNs,
            boolean mayUseC) {
        this.order = order;
        this.index = index;
        this.nodeSymbol = nodeSymbol;
        this.file = file;
        this.cache = cache;
        this.out = out;
        this.stage = stage;
        this.gate = context.gate();
        this.latenessNs = latenessNs;
        this.wallNs = context.wallNs();
        this.lostBy = new long[file.lossReasons().size()];
        clock =
                file.followsClock()
                        ? SourceClock.ofPipe(latenessNs, wallNs)
                        : SourceClock.ofFile(latenessNs);
        if (out.promisedNs() != Long.MIN_VALUE && file.followsClock()) {
            clock.passTo(out.promisedNs() + latenessNs); // an earlier source had these rings
        }
        packets = new JudgedPackets(file, stage, clock, shiftNs);
        frames =
                mayUseC && gate.bucketNs() > 0
                        ? new FramePass(file, cache, clock, stage, shiftNs, context)
                        : null;
    }

    /** Reads the first packet; before anything else. */
    void start() {
        packets.prepare();
    }

    /** Returns whether there is a packet ahead. */
    boolean hasNext() {
        return packets.hasNext();
    }

    /** Returns whether there is none only because a pipe has not brought enough yet. */
    boolean isWaiting() {
        return packets.isWaiting();
    }

    /** Waits for more of the pipe. Returns false when no packet was ahead in this time. */
    boolean await(long timeoutNs) {
        if (file.await(timeoutNs)) {
            packets.prepare();
        }
        silent &= !packets.hasNext();
        return packets.hasNext() || !packets.isWaiting();
    }

    /**
     * Notes that nothing has come for a moment. If this pipe brings packets as they are seen, the
     * next are newer than the clock less their delay.
     *
     * @return whether it has a time
     */
    boolean beSilent() {
        if (!silent) {
            silent = true;
            silence.restart();
            silentFromNs = isLive() ? fromNs() - file.delayNs() : Long.MIN_VALUE;
        }
        long silentNs = silence.ns();
        if (silentFromNs != Long.MIN_VALUE && silentNs >= SILENCE_NS) {
            clock.passTo(silentFromNs + silentNs);
        }
        return newestNs() != Long.MIN_VALUE;
    }

    /** Returns the time at which a silence begins. */
    private long fromNs() {
        return newestNs() == Long.MIN_VALUE ? wallNs.getAsLong() : newestNs();
    }

    /** Notes a time that no window waits for any more: older packets are late. */
    void comeAfter(long passedNs) {
        if (passedNs != Long.MIN_VALUE) {
            clock.passTo(passedNs + latenessNs);
        }
    }

    private boolean isLive() {
        return newestNs() == Long.MIN_VALUE
                ? file.isStampedByClock()
                : Math.abs(wallNs.getAsLong() - newestNs()) <= LIVE_NS;
    }

    /** Returns when the packet ahead passes. */
    long nextNs() {
        return packets.passesNs(packets.place());
    }

    /**
     * Returns the newest time so far, the packet ahead included; in a silence, the time that it
     * goes on to.
     */
    long newestNs() {
        return clock.newestNs();
    }

    PacketCursor file() {
        return file;
    }

    GpvCache cache() {
        return cache;
    }

    /**
     * Takes packets with times before {@code limitNs}; {@link #group} then passes them on. It stops
     * before a later one, after {@link #BURST}, or when no packet is ahead. Decoding and hashing,
     * loading the slots, and grouping are three loops over a burst. So the waits for memory
     * overlap. C does the same, and Java then takes one packet.
     *
     * @param flushNs a time to stop at for a watermark
     */
    void take(long limitNs, long flushNs) {
        inC = frames != null && packets.isOneAhead() && frames.begin(limitNs, flushNs);
        int most = inC ? 1 : BURST;
        int count = 0;
        passed = 0;
        while (passed < most && packets.hasNext() && nextNs() < limitNs) {
            int place = packets.place();
            if (isTaken(place)) {
                places[count] = place;
                slots[count] = cache.slot(packets.headers(place));
                count++;
            }
            pass();
            passed++;
        }
        inC &= passed > 0;
        cache.touch(slots, count);
        taken = count;
        grouped = 0;
    }

    private void pass() {
        if (inC) {
            packets.passToFile();
        } else {
            packets.pass();
        }
    }

    /**
     * Groups the packets that are taken, until a block is published.
     *
     * @return whether all are grouped; else the caller ends its step, and calls again
     */
    boolean group() {
        while (grouped < taken) {
            if (out.hasPublished() || !group(places[grouped], slots[grouped])) {
                return false;
            }
            grouped++;
        }
        return !inC || groupInC();
    }

    private boolean groupInC() {
        int before = frames.passed();
        boolean ended = frames.goOn();
        passed += frames.passed() - before;
        if (ended) {
            inC = false;
            packets.prepare();
        }
        return ended;
    }

    /** Returns how many packets were taken since the last call. */
    int takePassed() {
        int since = passed;
        passed = 0;
        return since;
    }

    /** Returns whether the packet ahead is there, and older than this. */
    boolean hasBefore(long limitNs) {
        return packets.hasNext() && nextNs() < limitNs;
    }

    private boolean isTaken(int place) {
        boolean leftOut = packets.isLeftOut(place);
        long timeNs = leftOut ? packets.cameNs(place) : packets.tsNs(place);
        int verdict = gate.verdict(packets.headers(place), timeNs, leftOut);
        if (verdict != PacketGate.TAKEN) {
            stage.turnAway(verdict);
            return false;
        }
        stage.pass(packets.headers(place));
        if (leftOut) {
            boolean future = packets.verdict(place) == SourceClock.FUTURE;
            stage.leaveOut(future, Math.abs(timeNs - packets.tsNs(place)), clock.isLive());
        }
        return true;
    }

    /** Returns false if GPVs must leave the cache before this packet comes in. */
    private boolean group(int place, int slot) {
        PacketHeaders headers = packets.headers(place);
        long tsNs = packets.tsNs(place);
        long cameNs = packets.cameNs(place);
        int on = packets.interfaceIndex(place);
        if (!cache.advance(cameNs)) {
            return false;
        }
        if (packets.isLeftOut(place)) {
            boolean future = packets.verdict(place) == SourceClock.FUTURE;
            cache.addLate(headers, tsNs, on, future ? FROM_FUTURE : TOO_OLD, cameNs, slot);
        } else {
            cache.add(headers, tsNs, on, slot);
        }
        return true;
    }

    /** Returns whether the file has reported lost packets since {@link #takeLost}. */
    boolean isLossUntold() {
        return packets.isLossUntold();
    }

    /**
     * Returns the newest packet's time at the first such report; MIN_VALUE if that was before any.
     */
    long lostNs() {
        return packets.lostNs();
    }

    /** Marks the windows in which packets may be missing that nobody could count. */
    void tellGap(CaptureStage stage) {
        long fromNs = packets.takeGapNs();
        if (fromNs != Long.MAX_VALUE) {
            stage.note(file().notes());
            out.gap(fromNs, nextNs());
        }
    }

    /** Returns the number of these packets. */
    long takeLost() {
        return packets.takeLost();
    }

    /**
     * Counts the packets of {@link #takeLost}, by their reasons.
     *
     * @param most of them are counted here
     */
    void drop(long most) {
        long rest = most;
        List<String> reasons = file.lossReasons();
        for (int i = 0; i < reasons.size(); i++) {
            long more = Math.min(file.lost(i) - lostBy[i], rest);
            lostBy[i] = file.lost(i);
            rest -= more;
            stage.drop(reasons.get(i), more);
        }
    }

    /**
     * Expires GPVs as of the newest time.
     *
     * @param comeNs the packet ahead, and more, may be of a later time: they do not count yet
     * @return false if a block was published and more may be left
     */
    boolean expire(long comeNs) {
        long timeNs = Math.min(newestNs(), comeNs);
        return timeNs == Long.MIN_VALUE || cache.advance(timeNs);
    }

    /**
     * Returns the watermark, after {@link #expire}: no packet that is still to come, and not late,
     * is older.
     */
    long watermarkNs(long comeNs) {
        long timeNs = Math.min(newestNs(), comeNs);
        return timeNs == Long.MIN_VALUE ? timeNs : Math.min(timeNs - latenessNs, cache.oldestNs());
    }

    /**
     * Writes all remaining GPVs of the cache.
     *
     * @return false if a block was published and more may be left
     */
    boolean flush() {
        return cache.flush();
    }

    @Override
    public void close() {
        file.close();
        if (frames != null) {
            frames.close();
        }
    }
}

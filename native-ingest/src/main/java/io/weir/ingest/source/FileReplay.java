package io.weir.ingest.source;

import io.weir.ingest.cache.GpvCache;
import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Ending;
import io.weir.ingest.decode.PacketDecoder;
import io.weir.ingest.decode.PacketHeaders;
import java.util.Arrays;

/**
 * One file's packets on their way into its cache: always a packet ahead, so that its next time is
 * known, unless a pipe has brought none yet. One thread; no allocation per packet.
 */
final class FileReplay implements AutoCloseable {
    /** Packets that {@link #pass} handles at a time. */
    static final int BURST = 64;

    /** Packets that come this much, or less, after they were seen are not late for a silence. */
    private static final long DELAY_NS = 2_000_000_000L;

    /**
     * A pipe whose newest packet is as far, or less, from the clock brings them as they are seen.
     */
    private static final long LIVE_NS = 10_000_000_000L;

    private final CaptureFile file;
    private final GpvCache cache;
    private final CaptureStage stage;
    private final PacketGate gate;
    private final long latenessNs;
    private final long shiftNs;
    private final PacketHeaders[] headers = new PacketHeaders[BURST];
    private final long[] times = new long[BURST];
    private final long[] newest = new long[BURST];
    private final int[] interfaces = new int[BURST];
    private final int[] slots = new int[BURST];
    final int index;
    final int nodeSymbol;

    private boolean hasNext;
    private long newestNs = Long.MIN_VALUE;
    private long lost;
    private long lostNs = Long.MAX_VALUE;
    private boolean silent;
    private long silentSinceNs;
    private long silentFromNs;

    FileReplay(
            int index,
            int nodeSymbol,
            CaptureFile file,
            GpvCache cache,
            CaptureStage stage,
            PacketGate gate,
            long latenessNs,
            long shiftNs) {
        this.index = index;
        this.nodeSymbol = nodeSymbol;
        this.file = file;
        this.cache = cache;
        this.stage = stage;
        this.gate = gate;
        this.latenessNs = latenessNs;
        this.shiftNs = shiftNs;
        Arrays.setAll(headers, i -> new PacketHeaders());
    }

    /** Reads the first packet; before anything else. */
    void start() {
        read();
    }

    /** Whether there is a packet ahead. */
    boolean hasNext() {
        return hasNext;
    }

    /** Whether that is only since a pipe has not brought a whole packet. */
    boolean isWaiting() {
        return !hasNext && file.ending() == Ending.NONE;
    }

    /** Waits for more of the pipe; false when nothing came in this time. */
    boolean await(long timeoutNs) {
        boolean more = file.await(timeoutNs);
        if (more) {
            read();
        }
        return more;
    }

    /**
     * Nothing has come for a moment: what comes, if this pipe brings packets as they are seen, is
     * newer than the clock less their delay.
     */
    void beSilent() {
        long nowNs = System.nanoTime();
        if (!silent) {
            silent = true;
            silentSinceNs = nowNs;
            silentFromNs = isLive() ? newestNs - DELAY_NS : Long.MIN_VALUE;
        }
        if (silentFromNs != Long.MIN_VALUE) {
            newestNs = Math.max(newestNs, silentFromNs + (nowNs - silentSinceNs));
        }
    }

    private boolean isLive() {
        long agoNs = System.currentTimeMillis() * 1_000_000 - newestNs;
        return newestNs != Long.MIN_VALUE && Math.abs(agoNs) <= LIVE_NS;
    }

    /** Of the packet ahead. */
    long nextNs() {
        return file.tsNs() + shiftNs;
    }

    /** Newest so far, the packet ahead included; in a silence, what it goes on to. */
    long newestNs() {
        return newestNs;
    }

    CaptureFile file() {
        return file;
    }

    /**
     * Passes packets with times before {@code limitNs}; stops before one that is not, after {@link
     * #BURST}, or where no packet is ahead. In three steps, each over the whole burst: decode and
     * hash, bring the slots near, group; so that the waits for memory overlap.
     *
     * @return how many it passed
     */
    int pass(long limitNs) {
        int passed = 0;
        int count = 0;
        while (passed < BURST && hasNext && nextNs() < limitNs) {
            count += decode(count) ? 1 : 0;
            read();
            passed++;
        }
        cache.touch(slots, count);
        for (int i = 0; i < count; i++) {
            boolean late = times[i] < newest[i] - latenessNs;
            cache.advance(newest[i]);
            cache.add(headers[i], times[i], interfaces[i], late, slots[i]);
        }
        return passed;
    }

    private boolean decode(int i) {
        PacketHeaders to = headers[i];
        int code =
                PacketDecoder.decode(
                        file.address(), file.capLen(), file.wireLen(), file.linkType(), to);
        if (code != PacketDecoder.IP_PACKET) {
            stage.exclude(code, file.linkType(), to);
            return false;
        }
        int verdict = gate.verdict(to, nextNs(), nextNs() < newestNs - latenessNs);
        if (verdict != PacketGate.TAKEN) {
            stage.turnAway(verdict);
            return false;
        }
        stage.pass(to);
        times[i] = nextNs();
        newest[i] = newestNs;
        interfaces[i] = file.interfaceIndex();
        slots[i] = cache.slot(to);
        return true;
    }

    private void read() {
        hasNext = file.next();
        if (file.lost() != lost && lostNs == Long.MAX_VALUE) {
            lostNs = newestNs; // of the packets before
        }
        if (hasNext) {
            silent = false;
            newestNs = Math.max(newestNs, nextNs());
        }
    }

    /** Whether the file has told of lost packets since {@link #takeLost}. */
    boolean isLossUntold() {
        return lostNs != Long.MAX_VALUE;
    }

    /** The newest packet's time when it did so first; MIN_VALUE where that was before any. */
    long lostNs() {
        return lostNs;
    }

    /** How many these are. */
    long takeLost() {
        long since = file.lost() - lost;
        lost = file.lost();
        lostNs = Long.MAX_VALUE;
        return since;
    }

    /**
     * What no packet that is still to come, and not late, is older than.
     *
     * @param comeNs the packet ahead, and more, may be of a later time: they say nothing yet
     */
    long watermarkNs(long comeNs) {
        long timeNs = Math.min(newestNs, comeNs);
        cache.advance(timeNs);
        boolean begun = timeNs != Long.MIN_VALUE;
        return begun ? Math.min(timeNs - latenessNs, cache.oldestNs()) : timeNs;
    }

    /** Writes all that is left in the cache. */
    void flush() {
        cache.flush();
    }

    @Override
    public void close() {
        cache.close();
        file.close();
    }
}

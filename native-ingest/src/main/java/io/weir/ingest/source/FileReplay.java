package io.weir.ingest.source;

import io.weir.ingest.cache.GpvCache;
import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.decode.PacketDecoder;
import io.weir.ingest.decode.PacketHeaders;

/**
 * One file's packets on their way into its cache: always a packet ahead, so that its next time is
 * known. One thread; no allocation per packet.
 */
final class FileReplay implements AutoCloseable {
    private final CaptureFile file;
    private final GpvCache cache;
    private final CaptureStage stage;
    private final long latenessNs;
    private final PacketHeaders headers = new PacketHeaders();
    final int index;
    final int nodeSymbol;

    private boolean hasNext;
    private long newestNs = Long.MIN_VALUE;

    FileReplay(
            int index,
            int nodeSymbol,
            CaptureFile file,
            GpvCache cache,
            CaptureStage stage,
            long latenessNs) {
        this.index = index;
        this.nodeSymbol = nodeSymbol;
        this.file = file;
        this.cache = cache;
        this.stage = stage;
        this.latenessNs = latenessNs;
    }

    /** Reads the first packet; before anything else. */
    void start() {
        read();
    }

    boolean hasNext() {
        return hasNext;
    }

    /** Of the packet ahead. */
    long nextNs() {
        return file.tsNs();
    }

    /** Newest so far, the packet ahead included. */
    long newestNs() {
        return newestNs;
    }

    CaptureFile file() {
        return file;
    }

    /**
     * Passes packets with times before {@code limitNs}; stops before one that is not, after {@code
     * most}, or at the end of the file.
     *
     * @return how many it passed
     */
    int pass(long limitNs, int most) {
        int passed = 0;
        while (passed < most && hasNext && file.tsNs() < limitNs) {
            passOne();
            read();
            passed++;
        }
        return passed;
    }

    private void passOne() {
        long tsNs = file.tsNs();
        int code =
                PacketDecoder.decode(
                        file.address(), file.capLen(), file.wireLen(), file.linkType(), headers);
        if (code != PacketDecoder.IP_PACKET) {
            stage.exclude(code);
            return;
        }
        stage.pass(headers);
        cache.advance(newestNs);
        cache.add(headers, tsNs, file.interfaceIndex(), tsNs < newestNs - latenessNs);
    }

    private void read() {
        hasNext = file.next();
        if (hasNext) {
            newestNs = Math.max(newestNs, file.tsNs());
        }
    }

    /** What no packet that is still to come, and not late, is older than. */
    long watermarkNs() {
        cache.advance(newestNs);
        return Math.min(newestNs - latenessNs, cache.oldestNs());
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

package io.weir.cluster.faults;

import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Copies the busiest seconds of a capture to a file. Replayed again and again, they leave no window
 * empty, so that a missing packet shows.
 */
final class Excerpt {
    private static final long LENGTH_NS = 16_000_000_000L;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int MAGIC_NS = 0xA1B23C4D;
    private static final int SNAP_BYTES = 262_144;

    private Excerpt() {}

    /** Writes it with nanoseconds. */
    static Path of(Path capture, Path to) {
        long fromNs = busiestNs(capture);
        try (CaptureFile file = Captures.open(capture);
                DataOutputStream out =
                        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(to)))) {
            for (boolean begun = false; file.next(); ) {
                if (!begun) {
                    header(out, file.linkType());
                    begun = true;
                }
                if (file.tsNs() >= fromNs && file.tsNs() < fromNs + LENGTH_NS) {
                    packet(out, file);
                }
            }
        } catch (IOException e) {
            throw new WeirException(ErrorCode.UNWRITABLE_OUTPUT, to + ": " + e);
        }
        return to;
    }

    private static long busiestNs(Path capture) {
        Deque<Long> within = new ArrayDeque<>();
        long found = 0;
        int most = 0;
        try (CaptureFile file = Captures.open(capture)) {
            while (file.next()) {
                within.add(file.tsNs());
                while (file.tsNs() - within.peek() > LENGTH_NS) {
                    within.remove();
                }
                if (within.size() > most) {
                    most = within.size();
                    found = within.peek();
                }
            }
        }
        return found;
    }

    private static void header(DataOutputStream out, int linkType) throws IOException {
        out.writeInt(MAGIC_NS);
        out.writeShort(2);
        out.writeShort(4);
        out.writeLong(0);
        out.writeInt(SNAP_BYTES);
        out.writeInt(linkType);
    }

    private static void packet(DataOutputStream out, CaptureFile file) throws IOException {
        out.writeInt((int) (file.tsNs() / SECOND_NS));
        out.writeInt((int) (file.tsNs() % SECOND_NS));
        out.writeInt(file.capLen());
        out.writeInt((int) file.wireLen());
        for (int i = 0; i < file.capLen(); i++) {
            out.writeByte(Memory.getByte(file.address() + i));
        }
    }
}

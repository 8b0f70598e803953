package io.weir.ingest.source;

import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.operators.account.Account;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Looks at the first packet of a capture before that is read. Stateless. */
final class FirstPacket {
    private FirstPacket() {}

    /**
     * Returns the time of a file's first packet. It is MIN_VALUE if there is none, or if its time
     * is left out: the file must then be open from the beginning.
     */
    static long passesNs(Path path) {
        try (CaptureFile file = Captures.open(path)) {
            JudgedPackets packets = judged(file);
            boolean inTime = packets.hasNext() && !packets.isLeftOut(packets.place());
            return inTime ? packets.tsNs(packets.place()) : Long.MIN_VALUE;
        }
    }

    /** Returns the time of the first packet that is not from the future. */
    static OptionalLong inTimeNs(CaptureFile file) {
        JudgedPackets packets = judged(file);
        while (packets.hasNext() && packets.isLeftOut(packets.place())) {
            packets.pass();
        }
        return packets.hasNext()
                ? OptionalLong.of(packets.tsNs(packets.place()))
                : OptionalLong.empty();
    }

    private static JudgedPackets judged(CaptureFile file) {
        CaptureStage nobody = new CaptureStage(new Account(), 0);
        JudgedPackets packets = new JudgedPackets(file, nobody, SourceClock.ofFile(0), 0);
        packets.prepare();
        return packets;
    }
}

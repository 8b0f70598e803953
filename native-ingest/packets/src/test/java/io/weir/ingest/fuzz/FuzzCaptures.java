package io.weir.ingest.fuzz;

import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.ingest.capture.Ending;
import io.weir.ingest.capture.Section;
import io.weir.ingest.decode.PacketDecoder;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A capture of any bytes, compressed or not: it has an end, or is refused. For Jazzer. */
public final class FuzzCaptures {
    /** A few bytes of a compressed file may be gigabytes. */
    private static final int MOST_PACKETS = 20_000;

    private static final Path FILE = file();
    private static final PacketHeaders HEADERS = new PacketHeaders();

    private FuzzCaptures() {}

    private static Path file() {
        try {
            Path file = Files.createTempFile("weir-fuzz", "");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Jazzer calls it. */
    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        Files.write(FILE, data);
        try {
            for (Section section : Captures.sections(FILE)) {
                read(section);
            }
        } catch (WeirException e) {
            if (e.code() != ErrorCode.NOT_A_CAPTURE) {
                throw e;
            }
        }
    }

    private static void read(Section section) {
        try (CaptureFile file = Captures.open(FILE, section)) {
            int packets = 0;
            while (packets < MOST_PACKETS && file.next()) {
                packets++;
                int code =
                        PacketDecoder.decode(
                                file.address(),
                                file.capLen(),
                                file.wireLen(),
                                file.linkType(),
                                HEADERS);
                if (code == PacketDecoder.IP_PACKET
                        && Integer.compareUnsigned(HEADERS.payloadBytes, HEADERS.bytes) > 0) {
                    throw new IllegalStateException("more payload than bytes");
                }
            }
            if (packets < MOST_PACKETS && file.ending() == Ending.NONE) {
                throw new IllegalStateException("no end");
            }
        }
    }
}

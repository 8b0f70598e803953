package io.weir.ingest.source;

import io.weir.ingest.capture.CaptureBytes;
import io.weir.ingest.decode.Frames;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Random;

/** Captures of a few flows with times that mostly rise, and sometimes jump or go back. */
final class RandomCapture {
    private RandomCapture() {}

    static Path write(Random random, Path folder, String name, int packets) {
        CaptureBytes pcapng = new CaptureBytes(ByteOrder.LITTLE_ENDIAN).section();
        pcapng.networkInterface(1, 6, 0).networkInterface(1, 6, 0);
        int flows = 1 + random.nextInt(60);
        long micros = 1_700_000_000_000_000L + random.nextInt(1_000_000);
        int meanMicros = 1 << random.nextInt(19);
        for (int i = 0; i < packets; i++) {
            micros += random.nextInt(2 * meanMicros);
            micros += random.nextInt(500) == 0 ? random.nextInt(100_000_000) : 0;
            long at = random.nextInt(5) == 0 ? micros - random.nextInt(3_000_000) : micros;
            byte[] frame = frame(random, random.nextInt(flows));
            pcapng.enhanced(random.nextInt(20) == 0 ? 1 : 0, at, frame, frame.length);
        }
        return pcapng.in(folder, name);
    }

    private static byte[] frame(Random random, int flow) {
        if (random.nextInt(20) == 0) {
            return new Frames().ethernet(0x0806).raw(1, 2, 3).array();
        }
        boolean v6 = flow % 3 == 0;
        int type = v6 ? 0x86DD : 0x0800;
        Frames frames = new Frames();
        if (random.nextInt(10) == 0) {
            frames.ethernet(0x8100).vlan(flow, type);
        } else {
            frames.ethernet(type);
        }
        int length = random.nextInt(10) == 0 ? 3000 : 28 + random.nextInt(500);
        if (v6) {
            frames.ipv6(6, flow, flow / 2, length - 20);
        } else {
            frames.ipv4(flow % 2 == 0 ? 6 : 17, flow, flow / 2, length, random.nextInt(3));
        }
        return frames.tcp(flow, 443, random.nextInt(), random.nextInt(256)).array();
    }
}

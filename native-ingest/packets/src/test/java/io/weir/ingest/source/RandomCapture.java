package io.weir.ingest.source;

import io.weir.ingest.capture.CaptureBytes;
import io.weir.ingest.decode.Frames;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** Captures of a few flows with times that mostly rise, and sometimes jump or go back. */
public final class RandomCapture {
    private RandomCapture() {}

    /** Writes a capture of a random format. */
    public static Path write(Random random, Path folder, String name, int packets) {
        return random.nextBoolean()
                ? pcap(random, folder, name, packets)
                : pcapng(random, folder, name, packets);
    }

    /** Writes pcap, with all that C reads of it and much that it does not. */
    public static Path pcap(Random random, Path folder, String name, int packets) {
        boolean micro = random.nextBoolean();
        CaptureBytes pcap =
                new CaptureBytes(
                        random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        pcap.pcap(micro ? CaptureBytes.MICROSECONDS : CaptureBytes.NANOSECONDS, 96, 1);
        Times times = new Times(random);
        for (int i = 0; i < packets; i++) {
            long at = times.next();
            byte[] frame = frame(random, random.nextInt(times.flows));
            byte[] captured = random.nextInt(5) == 0 ? spoiled(random, frame) : frame;
            int fraction = (int) (at % 1_000_000) * (micro ? 1 : 1000);
            pcap.record(at / 1_000_000, fraction, captured, frame.length);
        }
        return pcap.in(folder, name);
    }

    /** Writes packets of one hour after another, each of so many bytes. */
    static Path filling(
            Random random, Path folder, String name, int hour, int packets, int lengthBytes) {
        CaptureBytes pcap = new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
        pcap.pcap(CaptureBytes.MICROSECONDS, lengthBytes, 1);
        for (int i = 0; i < packets; i++) {
            byte[] frame = Arrays.copyOf(frame(random, 1), lengthBytes);
            pcap.record(1_700_000_000L + 3600L * hour + i, 0, frame, frame.length);
        }
        return pcap.in(folder, name);
    }

    private static byte[] spoiled(Random random, byte[] frame) {
        byte[] other = Arrays.copyOf(frame, 1 + random.nextInt(frame.length));
        for (int flips = random.nextInt(3); flips > 0; flips--) {
            other[random.nextInt(other.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return other;
    }

    private static Path pcapng(Random random, Path folder, String name, int packets) {
        ByteOrder order = random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        CaptureBytes pcapng = new CaptureBytes(order).section();
        boolean micro = random.nextBoolean();
        pcapng.networkInterface(1, micro ? 6 : 9, 0).networkInterface(1, 6, 0);
        boolean flags = random.nextBoolean();
        Times times = new Times(random);
        for (int i = 0; i < packets; i++) {
            long at = times.next();
            byte[] frame = frame(random, random.nextInt(times.flows));
            int on = random.nextInt(20) == 0 ? 1 : 0;
            long units = on == 1 || micro ? at : at * 1000;
            if (flags || random.nextInt(50) == 0) {
                pcapng.enhancedWithFlags(on, units, frame, random.nextInt(10) == 0 ? 2 : on);
            } else {
                pcapng.enhanced(on, units, frame, frame.length);
            }
        }
        return pcapng.in(folder, name);
    }

    private static final class Times {
        private final Random random;
        private final int flows;
        private final int meanMicros;
        private long micros;

        Times(Random random) {
            this.random = random;
            flows = 1 + random.nextInt(60);
            micros = 1_700_000_000_000_000L + random.nextInt(1_000_000);
            meanMicros = 1 << random.nextInt(19);
        }

        long next() {
            micros += random.nextInt(2 * meanMicros);
            micros += random.nextInt(500) == 0 ? random.nextInt(100_000_000) : 0;
            return random.nextInt(5) == 0 ? micros - random.nextInt(3_000_000) : micros;
        }
    }

    private static byte[] frame(Random random, int flow) {
        if (random.nextInt(20) == 0) {
            return new Frames().ethernet(0x0806).raw(1, 2, 3).array();
        }
        boolean v6 = flow % 3 == 0;
        int type = v6 ? 0x86DD : 0x0800;
        Frames frames = new Frames();
        if (random.nextInt(10) == 0) {
            frames.ethernet(0x8100);
            for (int more = random.nextInt(3); more > 0; more--) {
                frames.vlan(flow % 8 << 13 | flow, 0x88A8);
            }
            frames.vlan(flow % 7 << 13 | flow + 1, type);
        } else {
            frames.ethernet(type);
        }
        int length = random.nextInt(10) == 0 ? 3000 : 28 + random.nextInt(500);
        int proto = new int[] {6, 6, 6, 17, 1, 58, 132, 47}[random.nextInt(8)];
        if (v6) {
            frames.ipv6(proto, flow, flow / 2, length - 20);
        } else {
            frames.ipv4(proto, flow, flow / 2, length, random.nextInt(8) << 13 | random.nextInt(3));
        }
        return frames.tcp(flow, 443, random.nextInt(), random.nextInt(256)).array();
    }
}

package io.weir.ingest.decode;

import java.util.Random;

/**
 * A random frame of a link type whose header is more than a type field: PPP, PPPoE, Cisco's HDLC,
 * 802.11 with radiotap or without, NFLOG.
 */
public final class LinkFrame {
    private static final int[] LINK_TYPES = {9, 50, 51, 104, 105, 127, 239};
    private static final int[] NO_DATA = {0x80, 0x40, 0xD0, 0xD4, 0xB4, 0x48, 0xC8};

    public final int linkType;
    public final byte[] bytes;
    private final Random random;
    private final boolean v6;
    private Frames frames = new Frames();

    /**
     * @param little the byte order of the machine that captures
     */
    public LinkFrame(Random random, boolean little) {
        this.random = random;
        linkType = LINK_TYPES[random.nextInt(LINK_TYPES.length)];
        v6 = random.nextBoolean();
        switch (linkType) {
            case 9 -> ppp(random.nextBoolean() ? frames.raw(0xFF, 3) : frames);
            case 50 -> hdlc();
            case 51 -> pppoe();
            case 104 -> ciscoHdlc(random.nextBoolean() ? 0x0F : 0x8F);
            case 105 -> wlan(false);
            case 127 -> radiotap();
            default -> nflog(little);
        }
        bytes = frames.array();
    }

    private int etherType() {
        return random.nextInt(20) == 0 ? 0x88CC : v6 ? 0x86DD : 0x0800;
    }

    private void ip() {
        int[] protocols = {6, 17, v6 ? 58 : 1, 47};
        int proto = protocols[random.nextInt(protocols.length)];
        int payload = random.nextInt(60);
        int address = random.nextInt();
        if (v6) {
            frames.ipv6(proto, address, ~address, 20 + payload);
        } else {
            frames.ipv4(proto, address, ~address, 40 + payload, random.nextBoolean() ? 0x4000 : 0);
        }
        if (proto == 17) {
            frames.udp(1024 + random.nextInt(60_000), 9, 20 + payload).raw(new int[12]);
        } else {
            frames.tcp(1024 + random.nextInt(60_000), 9, random.nextInt(), random.nextInt(256));
        }
        frames.raw(new int[payload]);
    }

    private void ppp(Frames to) {
        to.half(random.nextInt(20) == 0 ? 0xC021 : v6 ? 0x0057 : 0x0021);
        ip();
    }

    private void hdlc() {
        if (random.nextInt(3) == 0) {
            ciscoHdlc(0x0F);
        } else {
            ppp(frames.raw(0xFF, 3));
        }
    }

    private void pppoe() {
        Frames outer = frames;
        frames = new Frames();
        ppp(frames);
        byte[] session = frames.array();
        frames = outer.raw(0x11, 0).half(random.nextInt(1 << 16)).half(session.length);
        raw(session);
    }

    private void ciscoHdlc(int address) {
        int type = random.nextInt(20) == 0 ? 0x8035 : v6 ? 0x86DD : 0x0800;
        frames.raw(address, 0).half(type);
        ip();
    }

    /** A header whose words of presence bits and fields before the flags vary. */
    private void radiotap() {
        boolean tsft = random.nextBoolean();
        boolean flags = random.nextBoolean();
        boolean rate = random.nextBoolean();
        boolean padded = flags && random.nextBoolean();
        boolean fcs = flags && random.nextBoolean();
        Frames fields = new Frames();
        int first = 8;
        for (int i = tsft ? 8 : 0; i > 0; i--) {
            fields.raw(random.nextInt(256));
        }
        fields.raw(flags ? new int[] {(padded ? 0x20 : 0) | (fcs ? 0x10 : 0)} : new int[0]);
        fields.raw(rate ? new int[] {2} : new int[0]);
        int length = first + fields.array().length;
        int present = (tsft ? 1 : 0) | (flags ? 2 : 0) | (rate ? 4 : 0);
        frames.raw(0, 0, length, 0, present, 0, 0, 0);
        raw(fields.array());
        wlan(padded);
        frames.raw(fcs ? new int[4] : new int[0]);
    }

    private void wlan(boolean padded) {
        if (random.nextInt(10) == 0) {
            int kind = NO_DATA[random.nextInt(NO_DATA.length)];
            frames.raw(kind, 0).raw(new int[40]);
            return;
        }
        boolean qos = random.nextBoolean();
        int distribution = random.nextInt(4);
        boolean encrypted = random.nextInt(8) == 0;
        boolean htControl = qos && random.nextInt(4) == 0;
        int fragment = random.nextInt(10) == 0 ? 1 + random.nextInt(15) : 0;
        frames.raw(qos ? 0x88 : 0x08);
        frames.raw(distribution | (encrypted ? 0x40 : 0) | (htControl ? 0x80 : 0)).raw(0, 0);
        for (int mac = 0; mac < 3; mac++) {
            mac();
        }
        frames.raw(fragment | random.nextInt(16) << 4, random.nextInt(256));
        int headerBytes = 24;
        if (distribution == 3) {
            mac();
            headerBytes += 6;
        }
        if (qos) {
            frames.raw(random.nextInt(8), 0);
            headerBytes += 2;
        }
        if (htControl) {
            frames.raw(0, 0, 0, 0);
            headerBytes += 4;
        }
        frames.raw(new int[padded ? -headerBytes & 3 : 0]);
        frames.raw(0xAA, 0xAA, 3, 0, 0, 0).half(etherType());
        ip();
    }

    private void mac() {
        frames.raw(2, random.nextInt(256), 3, 4, 5, random.nextInt(256));
    }

    /** Attributes in the byte order of the capturing machine, the packet last. */
    private void nflog(boolean little) {
        Frames outer = frames;
        frames = new Frames();
        ip();
        byte[] packet = frames.array();
        frames = outer.raw(v6 ? 10 : 2, 0).half(random.nextInt(100));
        attribute(little, 1, v6 ? 0x86 : 8, v6 ? 0xDD : 0, random.nextInt(5), 0);
        attribute(little, 10, "weir\0".chars().toArray());
        if (random.nextBoolean()) {
            attribute(little, 4, 0, 0, 0, 1 + random.nextInt(20));
        }
        if (random.nextBoolean()) {
            attribute(little, 5, 0, 0, 0, 1 + random.nextInt(20));
        }
        if (random.nextBoolean()) {
            attribute(little, 8, 0, 6, 0, 0, 2, 0, 0, 0, 0, 9, 0, 0);
            attribute(little, 15, 0, 1);
        }
        int[] values = new int[packet.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = packet[i];
        }
        attribute(little, 9, values);
    }

    private void attribute(boolean little, int type, int... value) {
        int bytes = value.length + 4;
        frames.half(little ? Short.reverseBytes((short) bytes) : bytes);
        frames.half(little ? Short.reverseBytes((short) type) : type);
        frames.raw(value).raw(new int[-value.length & 3]);
    }

    private void raw(byte[] values) {
        for (byte value : values) {
            frames.raw(value);
        }
    }
}

package io.weir.ingest.decode;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A random frame whose builder notes where each field ends. So it knows, without reading a byte,
 * what is left of the packet's columns when only the first bytes were captured.
 */
final class CutFrame {
    /** What a column's field has, and the frame's bytes up to its last one. */
    private record Field(String column, long value, int end) {}

    /** An extension header of IPv6. */
    private record Extension(int start, int end, boolean fragment, int next) {}

    private final Random random;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<Field> fields = new ArrayList<>();
    private final List<Extension> extensions = new ArrayList<>();
    private final Map<String, Long> always = new TreeMap<>();

    int linkType = 1;
    private boolean v6;
    private int ip;
    private int ipFixedEnd;
    private int transport;
    private int protocol;
    private int fixedBytes;
    private int declaredBytes;
    private int fragmentOffset;
    private boolean moreFragments;

    /** As the header's length field says; 0 is the wire's. */
    private int ipBytes;

    final int wireLen;

    CutFrame(Random random) {
        this.random = random;
        v6 = random.nextBoolean();
        link();
        ip = bytes.size();
        protocol = new int[] {6, 6, 6, 17, 132, v6 ? 58 : 1, v6 ? 1 : 58, 47}[random.nextInt(8)];
        fixedBytes =
                switch (protocol) {
                    case 6 -> 20;
                    case 17 -> 8;
                    case 132 -> 12;
                    case 1 -> v6 ? 0 : 4;
                    case 58 -> v6 ? 4 : 0;
                    default -> 0;
                };
        fragment();
        if (v6) {
            ipv6();
        } else {
            ipv4();
        }
        if (fragmentOffset == 0) {
            transport();
        }
        put(random.nextInt(9));
        wireLen = bytes.size() + (random.nextBoolean() ? 0 : random.nextInt(2000));
    }

    byte[] array() {
        return bytes.toByteArray();
    }

    private void put(int count) {
        for (int i = 0; i < count; i++) {
            bytes.write(random.nextInt(256));
        }
    }

    private CutFrame half(int value) {
        bytes.write(value >> 8);
        bytes.write(value);
        return this;
    }

    /** A random value of a column's field. */
    private void field(String column, int length) {
        long value = 0;
        for (int i = 0; i < length; i++) {
            int b = random.nextInt(256);
            bytes.write(b);
            value = value << 8 | b;
        }
        fields.add(new Field(column, value, bytes.size()));
    }

    /** Neither port is read before both are there. */
    private Field bothAtOnce(Field srcPort) {
        return new Field(srcPort.column, srcPort.value, bytes.size());
    }

    private void link() {
        int type = v6 ? 0x86DD : 0x0800;
        switch (random.nextInt(8)) {
            case 0 -> linkType = 101;
            case 1 -> {
                linkType = 113;
                put(14);
                half(type);
            }
            case 2 -> {
                linkType = 276;
                half(type);
                put(18);
            }
            default -> {
                put(12);
                for (int tag = random.nextInt(3); tag > 0; tag--) {
                    half(random.nextBoolean() ? 0x8100 : 0x88A8).half(random.nextInt(65536));
                }
                behindTags(type);
            }
        }
    }

    private void behindTags(int type) {
        switch (random.nextInt(5)) {
            case 0 -> half(0x8847).half(random.nextInt(65536)).half(0x0140);
            case 1 -> half(0x8864).half(0x1100).half(7).half(0).half(v6 ? 0x57 : 0x21);
            case 2 -> half(60).half(0xAAAA).half(0x0300).half(0).half(type);
            default -> half(type);
        }
    }

    private void fragment() {
        switch (random.nextInt(6)) {
            case 0 -> fragmentOffset = 1 + random.nextInt(0x1FFF);
            case 1 -> moreFragments = true;
            default -> {}
        }
    }

    /** Mostly true; sometimes it ends in the headers, or is 0. */
    private int length(int headerBytes) {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> Math.max(1, headerBytes - 4 + random.nextInt(26));
            default -> headerBytes + fixedBytes + random.nextInt(1000);
        };
    }

    private void ipv4() {
        int optionBytes = random.nextInt(3) == 0 ? 4 * random.nextInt(11) : 0;
        ipBytes = length(20 + optionBytes);
        bytes.write(0x45 + optionBytes / 4);
        field("ipTos", 1);
        half(ipBytes);
        field("ipId", 2);
        half((moreFragments ? 0x2000 : 0) | fragmentOffset);
        field("ipTtl", 1);
        bytes.write(protocol);
        put(2);
        field("srcLow", 4);
        field("dstLow", 4);
        ipFixedEnd = bytes.size();
        put(optionBytes);
        transport = bytes.size();
        always.put("proto", (long) protocol);
        always.put("fragmentOffset", (long) fragmentOffset);
    }

    private void ipv6() {
        List<Integer> chain = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            chain.add(new int[] {0, 43, 60}[random.nextInt(3)]);
        }
        if (fragmentOffset != 0 || moreFragments) {
            chain.add(44);
        }
        int[] units = chain.stream().mapToInt(h -> h == 44 ? 1 : 1 + random.nextInt(3)).toArray();
        ipBytes = length(40 + 8 * Arrays.stream(units).sum());
        ipBytes = ipBytes == 0 ? 0 : Math.max(41, ipBytes);
        half(0x6000).half(random.nextInt(65536)).half(ipBytes == 0 ? 0 : ipBytes - 40);
        bytes.write(chain.isEmpty() ? protocol : chain.get(0));
        field("ipTtl", 1);
        field("srcHigh", 8);
        field("srcLow", 8);
        field("dstHigh", 8);
        field("dstLow", 8);
        ipFixedEnd = bytes.size();
        for (int i = 0; i < units.length; i++) {
            extension(chain.get(i), units[i], i + 1 < units.length ? chain.get(i + 1) : protocol);
        }
        transport = bytes.size();
    }

    private void extension(int type, int units, int next) {
        int start = bytes.size();
        bytes.write(next);
        if (type == 44) {
            bytes.write(0);
            half(fragmentOffset << 3 | (moreFragments ? 1 : 0));
            field("ipId", 4);
        } else {
            bytes.write(units - 1);
            bytes.write(1); // padding, so that no option is one
            bytes.write(units * 8 - 4);
            put(units * 8 - 4);
        }
        extensions.add(new Extension(start, bytes.size(), type == 44, next));
    }

    private void transport() {
        declaredBytes = fixedBytes;
        switch (fixedBytes) {
            case 4 -> {
                field("icmpType", 1);
                field("icmpCode", 1);
                put(2);
            }
            case 8, 12, 20 -> {
                field("srcPort", 2);
                field("dstPort", 2);
                fields.add(bothAtOnce(fields.remove(fields.size() - 2)));
                put(fixedBytes == 20 ? 0 : fixedBytes - 4);
            }
            default -> {}
        }
        if (fixedBytes == 20) {
            field("tcpSeq", 4);
            field("tcpAck", 4);
            int words = random.nextInt(16);
            declaredBytes = 4 * words;
            bytes.write(words << 4 | random.nextInt(16));
            field("tcpFlags", 1);
            field("tcpWindow", 2);
            put(4);
        }
    }

    /** What is to be returned when so many bytes are captured: codes, of which any is right. */
    List<Integer> codes(int captured) {
        if (captured < ip) {
            return List.of(Exclusion.L2_CUT.code());
        }
        if (captured == ip) {
            return List.of(Exclusion.L2_CUT.code(), Exclusion.IP_CUT.code());
        }
        int least = v6 ? ipFixedEnd : transport; // options are part of the header
        return List.of(captured < least ? Exclusion.IP_CUT.code() : PacketDecoder.IP_PACKET);
    }

    private long bytes() {
        return ipBytes != 0 ? ipBytes : wireLen - ip;
    }

    private int ipEnd() {
        return ipBytes != 0 ? ip + ipBytes : Integer.MAX_VALUE;
    }

    /** Whether a captured byte tells that this is a later fragment. */
    private boolean isKnownLater(int captured) {
        return fragmentOffset != 0
                && (!v6 || extensions.get(extensions.size() - 1).start + 4 <= captured);
    }

    HeaderGap gap(int captured) {
        if (isKnownLater(captured)) {
            return HeaderGap.LATER_FRAGMENT;
        }
        if (captured < transport && !extensions.isEmpty()) {
            return HeaderGap.EXTENSIONS_CUT;
        }
        if (transport + fixedBytes <= Math.min(captured, ipEnd()) || fixedBytes == 0) {
            return HeaderGap.NONE;
        }
        if (captured < ipEnd()) {
            return HeaderGap.TRANSPORT_CUT;
        }
        return moreFragments ? HeaderGap.TINY_FIRST_FRAGMENT : HeaderGap.TRANSPORT_SHORT;
    }

    /** The columns of the packet; what is not named is 0. */
    Map<String, Long> columns(int captured) {
        Map<String, Long> columns = new TreeMap<>(always);
        if (v6) {
            chain(captured, columns);
        }
        for (Field field : fields) {
            boolean above = field.end > transport;
            int end = above ? Math.min(captured, ipEnd()) : captured;
            columns.put(field.column, field.end <= end ? field.value : 0);
        }
        columns.put("bytes", bytes());
        columns.put("payloadBytes", Math.max(0, bytes() - headers(captured)));
        return columns;
    }

    private void chain(int captured, Map<String, Long> columns) {
        byte[] frame = array();
        long proto = frame[ip + 6] & 0xFF;
        for (Extension extension : extensions) {
            proto = extension.start < captured ? extension.next : proto;
        }
        columns.put("proto", proto);
        columns.put("fragmentOffset", isKnownLater(captured) ? (long) fragmentOffset : 0);
    }

    /** Bytes of IP's headers and of the transport's, as far as they are known. */
    private int headers(int captured) {
        for (Extension extension : extensions) {
            int there = captured - extension.start;
            if (there < (extension.fragment ? 8 : 2)) {
                return extension.start - ip;
            }
            if (captured < extension.end) {
                return extension.end - ip;
            }
        }
        if (fragmentOffset != 0) {
            return transport - ip;
        }
        boolean declared = transport + 13 <= Math.min(captured, ipEnd());
        return transport - ip + (fixedBytes == 20 && declared ? declaredBytes : fixedBytes);
    }
}

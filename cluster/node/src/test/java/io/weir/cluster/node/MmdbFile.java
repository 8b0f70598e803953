package io.weir.cluster.node;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes small files in MaxMind's format, version 2.0: IPv6 trees with records of 24 bits. */
final class MmdbFile {
    private static final int EMPTY = -1;
    private static final int DATA = 1 << 30;

    private final List<int[]> nodes = new ArrayList<>();
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();

    MmdbFile() {
        nodes.add(new int[] {EMPTY, EMPTY});
    }

    /** Adds a prefix of IPv4, which is not within another. */
    MmdbFile add(int network, int bits, Map<String, Object> record) {
        int offset = data.size();
        put(data, record);
        int node = 0;
        int length = 96 + bits;
        for (int b = 0; b < length - 1; b++) {
            int side = bit(network, b);
            if (nodes.get(node)[side] == EMPTY) {
                nodes.get(node)[side] = nodes.size();
                nodes.add(new int[] {EMPTY, EMPTY});
            }
            node = nodes.get(node)[side];
        }
        nodes.get(node)[bit(network, length - 1)] = DATA | offset;
        return this;
    }

    private static int bit(int network, int place) {
        return place < 96 ? 0 : network >>> 127 - place & 1;
    }

    byte[] bytes() {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (int[] node : nodes) {
            for (int record : node) {
                int pointer = record;
                if (record == EMPTY) {
                    pointer = nodes.size();
                } else if ((record & DATA) != 0) {
                    pointer = nodes.size() + 16 + (record & ~DATA);
                }
                file.write(pointer >>> 16);
                file.write(pointer >>> 8);
                file.write(pointer);
            }
        }
        file.writeBytes(new byte[16]);
        file.writeBytes(data.toByteArray());
        file.writeBytes(new byte[] {(byte) 0xab, (byte) 0xcd, (byte) 0xef});
        file.writeBytes("MaxMind.com".getBytes(StandardCharsets.US_ASCII));
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("node_count", (long) nodes.size());
        metadata.put("record_size", 24);
        metadata.put("ip_version", 6);
        metadata.put("database_type", "test");
        metadata.put("languages", List.of("en"));
        metadata.put("binary_format_major_version", 2);
        metadata.put("binary_format_minor_version", 0);
        metadata.put("build_epoch", BigInteger.valueOf(1_700_000_000));
        metadata.put("description", Map.of("en", "test"));
        put(file, metadata);
        return file.toByteArray();
    }

    private static void put(ByteArrayOutputStream out, Object value) {
        if (value instanceof Map<?, ?> map) {
            out.write(7 << 5 | map.size());
            map.forEach(
                    (name, part) -> {
                        put(out, name);
                        put(out, part);
                    });
        } else if (value instanceof List<?> list) {
            out.write(list.size()); // an extended type: its number less 7 follows
            out.write(11 - 7);
            list.forEach(part -> put(out, part));
        } else if (value instanceof String text) {
            out.write(2 << 5 | text.length());
            out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        } else if (value instanceof BigInteger whole) {
            out.write(Integer.BYTES); // an extended type, too
            out.write(9 - 7);
            put(out, whole.longValue(), Integer.BYTES);
        } else if (value instanceof Integer number) {
            out.write(5 << 5 | Short.BYTES);
            put(out, number, Short.BYTES);
        } else {
            out.write(6 << 5 | Integer.BYTES);
            put(out, (Long) value, Integer.BYTES);
        }
    }

    private static void put(ByteArrayOutputStream out, long number, int bytes) {
        for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
            out.write((int) (number >>> shift));
        }
    }
}

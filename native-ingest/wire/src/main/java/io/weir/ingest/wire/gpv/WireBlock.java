package io.weir.ingest.wire.gpv;

import java.util.List;

/**
 * A block of GPVs as a datagram carries it. Its header is big endian. Its GPVs have the byte order
 * of their layout. A program in P4 can write one for {@code flow32} and {@code flow64}: every field
 * is whole bytes, and the header's size is fixed.
 *
 * <p>docs/GPV.md describes the fields; a test holds that table, C's places and P4's header against
 * this list.
 */
public final class WireBlock {
    /**
     * One field of the header.
     *
     * @param offset bytes from the datagram's first byte
     */
    public record WireField(String name, int offset, int bytes) {}

    /** The letters WGPV. */
    public static final int MAGIC = 0x57475056;

    public static final int VERSION = 1;

    public static final int AT_MAGIC = 0;
    public static final int AT_VERSION = 4;
    public static final int AT_LAYOUT = 5;
    public static final int AT_INSTANCE = 6;
    public static final int AT_SOURCE = 8;
    public static final int AT_EPOCH = 12;
    public static final int AT_SEQUENCE = 16;
    public static final int AT_GPVS = 20;
    public static final int AT_PACKETS = 22;
    public static final int AT_TOTAL = 24;
    public static final int AT_WATERMARK = 32;
    public static final int HEADER_BYTES = 40;

    /** A receiver takes no longer datagram: a jumbo frame. */
    public static final int MOST_BYTES = 9216;

    /** The UDP port of pipeline instance 0. */
    public static final int DEFAULT_PORT = 23600;

    public static final List<WireField> FIELDS =
            List.of(
                    new WireField("magic", AT_MAGIC, 4),
                    new WireField("version", AT_VERSION, 1),
                    new WireField("layout", AT_LAYOUT, 1),
                    new WireField("instance", AT_INSTANCE, 2),
                    new WireField("source", AT_SOURCE, 4),
                    new WireField("epoch", AT_EPOCH, 4),
                    new WireField("sequence", AT_SEQUENCE, 4),
                    new WireField("gpvs", AT_GPVS, 2),
                    new WireField("packets", AT_PACKETS, 2),
                    new WireField("total", AT_TOTAL, 8),
                    new WireField("watermark", AT_WATERMARK, 8));

    private WireBlock() {}
}

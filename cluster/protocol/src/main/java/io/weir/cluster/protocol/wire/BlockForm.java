package io.weir.cluster.protocol.wire;

/**
 * The bytes of a block of groups, or rows, on its way between processes. All numbers are little
 * endian.
 *
 * <pre>
 *    0  magic                                4 bytes
 *    4  version, flags, two zero bytes       4
 *    8  fingerprint of the state's layout    8
 *   16  bytes of sections, of sketches, of symbols, 4 each; 4 zero bytes
 *   32  sections    each: table 4, entries 4, then the entries: key words, value words, 8 bytes each
 *       sketches    each: length 4, bytes
 *       symbols     each: number 4, length 2, UTF-8
 * </pre>
 *
 * A state word of a sketch is 0 for none and -1 for one that had no room. Otherwise it is the
 * sketch's place in the block, from 1. Strings have the numbers of the process that wrote the
 * block, and the block lists them.
 */
final class BlockForm {
    static final int MAGIC = 0x50_52_45_57;
    static final byte VERSION = 1;

    /** Counts of COUNT(DISTINCT) are final: the sets are not in the block. */
    static final byte FLAG_COUNTED = 1;

    static final int VERSION_AT = 4;
    static final int FLAGS_AT = 5;
    static final int FINGERPRINT_AT = 8;
    static final int SECTIONS_AT = 16;
    static final int SKETCHES_AT = 20;
    static final int SYMBOLS_AT = 24;
    static final int HEADER_BYTES = 32;

    /** The table number that means rows. */
    static final int ROWS = -1;

    static final int SECTION_BYTES = 8;
    static final long NO_SKETCH = 0;
    static final long REFUSED_SKETCH = -1;

    private BlockForm() {}
}

package io.weir.operators.gpv;

/**
 * The place of a value in a GPV. It is an unsigned integer of {@code bits} bits, {@code shift} bits
 * above the low end of the {@code loadBytes}-byte word at {@code offset}. An IPv6 address is 16
 * bytes with 128 bits: its high word first.
 *
 * @param name a SQL column, or one of {@link GpvLayout}'s structural names
 * @param place header (once a GPV) or tuple (once a packet)
 * @param offset bytes from the start of the header or tuple
 * @param loadBytes 1, 2, 4, 8 or 16
 */
public record Field(String name, Place place, int offset, int loadBytes, int shift, int bits) {
    /** The part of a GPV that a field belongs to. */
    public enum Place {
        HEADER,
        TUPLE
    }

    public Field {
        boolean load = loadBytes == 1 || loadBytes == 2 || loadBytes == 4;
        if (!(load || loadBytes == 8 || loadBytes == 16) || shift + bits > loadBytes * 8) {
            throw new IllegalArgumentException(name + ": " + loadBytes + " bytes, " + bits);
        }
    }

    /** Returns the same field at another offset. */
    public Field at(int otherOffset) {
        return new Field(name, place, otherOffset, loadBytes, shift, bits);
    }

    static Field header(String name, int offset, int loadBytes) {
        return new Field(name, Place.HEADER, offset, loadBytes, 0, loadBytes * 8);
    }

    static Field headerBits(String name, int offset, int loadBytes, int shift, int bits) {
        return new Field(name, Place.HEADER, offset, loadBytes, shift, bits);
    }

    static Field tuple(String name, int offset, int loadBytes) {
        return new Field(name, Place.TUPLE, offset, loadBytes, 0, loadBytes * 8);
    }

    static Field tupleBits(String name, int offset, int loadBytes, int shift, int bits) {
        return new Field(name, Place.TUPLE, offset, loadBytes, shift, bits);
    }
}

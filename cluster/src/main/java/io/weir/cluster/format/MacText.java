package io.weir.cluster.format;

/** Hardware addresses as text: six bytes in hexadecimal, with colons between. */
final class MacText {
    private static final int BITS = 48;
    private static final int HEX = 16;

    private MacText() {}

    static String of(long address) {
        StringBuilder text = new StringBuilder();
        for (int shift = BITS - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            int b = (int) (address >>> shift) & 0xFF;
            text.append(Character.forDigit(b / HEX, HEX)).append(Character.forDigit(b % HEX, HEX));
            text.append(shift > 0 ? ":" : "");
        }
        return text.toString();
    }

    static long parse(String text) {
        return Long.parseLong(text.replace(":", ""), HEX);
    }
}

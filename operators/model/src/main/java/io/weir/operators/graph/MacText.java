package io.weir.operators.graph;

import java.util.Optional;
import java.util.regex.Pattern;

/** Hardware addresses as text: six pairs of hexadecimal digits, with colons or hyphens between. */
public final class MacText {
    private static final Pattern FORM =
            Pattern.compile("\\p{XDigit}{2}([:-])(\\p{XDigit}{2}\\1){4}\\p{XDigit}{2}");
    private static final int BITS = 48;
    private static final int HEX = 16;

    private MacText() {}

    /** Returns the text with colons. */
    public static String format(long address) {
        StringBuilder text = new StringBuilder();
        for (int shift = BITS - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            int b = (int) (address >>> shift) & 0xFF;
            text.append(Character.forDigit(b / HEX, HEX)).append(Character.forDigit(b % HEX, HEX));
            text.append(shift > 0 ? ":" : "");
        }
        return text.toString();
    }

    /** Returns empty when malformed. */
    public static Optional<Long> parse(String text) {
        return FORM.matcher(text).matches()
                ? Optional.of(Long.parseLong(text.replaceAll("[:-]", ""), HEX))
                : Optional.empty();
    }
}

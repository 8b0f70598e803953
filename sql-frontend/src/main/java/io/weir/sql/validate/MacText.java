package io.weir.sql.validate;

import java.util.Optional;
import java.util.regex.Pattern;

/** MAC addresses as text: six pairs of hexadecimal digits, with colons or hyphens. */
final class MacText {
    private static final Pattern FORM =
            Pattern.compile("\\p{XDigit}{2}([:-])(\\p{XDigit}{2}\\1){4}\\p{XDigit}{2}");

    private MacText() {}

    static Optional<Long> parse(String text) {
        return FORM.matcher(text).matches()
                ? Optional.of(Long.parseLong(text.replaceAll("[:-]", ""), 16))
                : Optional.empty();
    }
}

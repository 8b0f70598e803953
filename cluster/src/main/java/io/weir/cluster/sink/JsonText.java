package io.weir.cluster.sink;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** JSON string literals (RFC 8259). */
public final class JsonText {
    private JsonText() {}

    /** The text in quotes, with what must be escaped escaped. */
    public static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, quoted);
        return quoted.append('"').toString();
    }
}

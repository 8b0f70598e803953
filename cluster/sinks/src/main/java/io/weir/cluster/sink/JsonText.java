package io.weir.cluster.sink;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** Writes JSON string literals (RFC 8259). */
public final class JsonText {
    private JsonText() {}

    /** Returns the text in quotes, with escapes where JSON needs them. */
    public static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, quoted);
        return quoted.append('"').toString();
    }
}

package io.weir.cluster.sink;

/** JSON string literals (RFC 8259). */
public final class JsonText {
    private JsonText() {}

    /** The text in quotes, with what must be escaped escaped. */
    public static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c >= ' ') {
                quoted.append(c);
            } else if (c == '\n') {
                quoted.append("\\n");
            } else if (c == '\t') {
                quoted.append("\\t");
            } else {
                quoted.append("\\u00").append(Character.forDigit(c >> 4, 16));
                quoted.append(Character.forDigit(c & 0xF, 16));
            }
        }
        return quoted.append('"').toString();
    }
}

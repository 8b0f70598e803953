package io.weir.bench;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Maps, lists, strings, numbers and booleans as JSON text, indented. Stateless. */
final class Json {
    private Json() {}

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, "\n", out);
        return out.append('\n').toString();
    }

    private static void write(Object value, String newLine, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            out.append('{');
            for (Iterator<? extends Map.Entry<?, ?>> it = map.entrySet().iterator();
                    it.hasNext(); ) {
                Map.Entry<?, ?> entry = it.next();
                out.append(newLine).append("  ");
                string(entry.getKey().toString(), out);
                out.append(": ");
                write(entry.getValue(), newLine + "  ", out);
                out.append(it.hasNext() ? "," : newLine);
            }
            out.append('}');
        } else if (value instanceof List<?> list) {
            out.append('[');
            for (Iterator<?> it = list.iterator(); it.hasNext(); ) {
                out.append(newLine).append("  ");
                write(it.next(), newLine + "  ", out);
                out.append(it.hasNext() ? "," : newLine);
            }
            out.append(']');
        } else if (value instanceof Double number) {
            out.append(
                    number.isNaN() || number.isInfinite()
                            ? "null"
                            : String.format(Locale.ROOT, "%.4f", number));
        } else if (value instanceof Number || value instanceof Boolean || value == null) {
            out.append(value);
        } else {
            string(value.toString(), out);
        }
    }

    private static void string(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}

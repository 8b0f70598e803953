package io.weir.sql;

import java.util.ArrayList;
import java.util.List;

/** Cuts long lines at spaces, so that they fit a terminal. The rest is indented deeper. */
final class WrappedLines {
    private static final String DEEPER = "    ";

    private WrappedLines() {}

    /** Returns lines of at most {@code width} characters, except for longer words. */
    static List<String> lines(String text, int width) {
        List<String> lines = new ArrayList<>();
        text.lines().forEach(line -> add(lines, line, width));
        return lines;
    }

    private static void add(List<String> lines, String line, int width) {
        String indent = " ".repeat(indent(line)) + DEEPER;
        String rest = line;
        int cut = cut(rest, width);
        while (cut < rest.length()) {
            lines.add(rest.substring(0, cut));
            rest = indent + rest.substring(cut).strip();
            cut = cut(rest, width);
        }
        lines.add(rest);
    }

    /**
     * Returns the last space that leaves a line short enough, else the first one behind; or the
     * end.
     */
    private static int cut(String line, int width) {
        if (line.length() <= width) {
            return line.length();
        }
        int indent = indent(line);
        int space = line.lastIndexOf(' ', width);
        if (space <= indent) {
            space = line.indexOf(' ', indent);
        }
        return space < 0 ? line.length() : space;
    }

    private static int indent(String line) {
        return line.length() - line.stripLeading().length();
    }
}

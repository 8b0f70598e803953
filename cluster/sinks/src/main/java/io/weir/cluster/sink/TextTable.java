package io.weir.cluster.sink;

import java.util.List;

/**
 * An aligned text table: headings, a line, rows; numbers to the right. Widths only grow. Not
 * thread-safe.
 */
public final class TextTable {
    private final List<String> headings;
    private final List<Boolean> right;
    private final int[] widths;

    public TextTable(List<String> headings, List<Boolean> right) {
        this.headings = headings;
        this.right = right;
        this.widths = headings.stream().mapToInt(TextTable::width).toArray();
    }

    /** Prints a whole table of texts, all to the left. */
    public static void print(TextOut out, List<String> headings, List<List<String>> rows) {
        print(out, headings, headings.stream().map(h -> false).toList(), rows);
    }

    /** Prints a whole table; {@code right} marks the columns with numbers. */
    public static void print(
            TextOut out, List<String> headings, List<Boolean> right, List<List<String>> rows) {
        TextTable table = new TextTable(headings, right);
        table.fit(rows);
        table.heading(out);
        table.rows(out, rows);
        out.flush();
    }

    /** Widens the columns for these rows. */
    void fit(List<List<String>> rows) {
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
    }

    void heading(TextOut out) {
        line(out, headings);
        for (int i = 0; i < widths.length; i++) {
            out.repeat('-', widths[i]);
            out.put(i == widths.length - 1 ? "\n" : "  ");
        }
    }

    void rows(TextOut out, List<List<String>> rows) {
        rows.forEach(row -> line(out, row));
    }

    private void line(TextOut out, List<String> cells) {
        for (int i = 0; i < widths.length; i++) {
            boolean isLast = i == widths.length - 1;
            int blanks = widths[i] - width(cells.get(i));
            if (right.get(i)) {
                out.repeat(' ', blanks);
            }
            out.put(cells.get(i));
            if (!right.get(i) && !isLast) {
                out.repeat(' ', blanks);
            }
            out.put(isLast ? "\n" : "  ");
        }
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}

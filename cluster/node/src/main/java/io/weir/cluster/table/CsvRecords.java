package io.weir.cluster.table;

import java.util.ArrayList;
import java.util.List;

/**
 * The records of a CSV text (RFC 4180): commas, quotes, and lines that end by LF or CRLF. Empty
 * lines are left out. One thread.
 */
final class CsvRecords {
    /** The most characters of a cell; more is a quote that nobody closed. */
    private static final int MOST_CELL = 1 << 16;

    private static final int MOST_CELLS = 1 << 10;

    private final String text;
    private final String file;
    private int at;
    private int line = 1;
    private int begin;

    CsvRecords(String file, String text) {
        this.file = file;
        this.text = text;
        at = text.startsWith("\uFEFF") ? 1 : 0;
    }

    /** Returns the line in which the last record begins, from 1. */
    int line() {
        return begin;
    }

    /** Returns the next record; null at the end. */
    List<String> next() {
        while (at < text.length() && isEnd(text.charAt(at))) {
            endLine();
        }
        if (at == text.length()) {
            return null;
        }
        begin = line;
        List<String> cells = new ArrayList<>();
        boolean more = true;
        while (more) {
            cells.add(cell());
            if (cells.size() > MOST_CELLS) {
                throw TableFault.at(file, begin, "it has more than " + MOST_CELLS + " cells");
            }
            more = at < text.length() && text.charAt(at) == ',';
            at += more ? 1 : 0;
        }
        if (at < text.length()) {
            endLine();
        }
        return cells;
    }

    private static boolean isEnd(char c) {
        return c == '\n' || c == '\r';
    }

    private void endLine() {
        at += text.startsWith("\r\n", at) ? 2 : 1;
        line++;
    }

    private String cell() {
        return at < text.length() && text.charAt(at) == '"' ? quoted() : plain();
    }

    private String plain() {
        int from = at;
        while (at < text.length() && text.charAt(at) != ',' && !isEnd(text.charAt(at))) {
            at++;
        }
        return checked(text.substring(from, at).strip());
    }

    private String checked(String cell) {
        if (cell.length() > MOST_CELL) {
            throw TableFault.at(file, begin, "a cell has over " + MOST_CELL + " characters");
        }
        return cell;
    }

    private String quoted() {
        StringBuilder cell = new StringBuilder();
        at++;
        boolean open = true;
        while (open) {
            int close = text.indexOf('"', at);
            if (close < 0 || cell.length() > MOST_CELL) {
                throw TableFault.at(file, begin, "a quote is not closed");
            }
            cell.append(text, at, close);
            at = close + 1;
            open = at < text.length() && text.charAt(at) == '"';
            if (open) {
                cell.append('"');
                at++;
            }
        }
        line += (int) cell.chars().filter(c -> c == '\n').count();
        if (at < text.length() && text.charAt(at) != ',' && !isEnd(text.charAt(at))) {
            throw TableFault.at(file, begin, "text follows a closed quote");
        }
        return checked(cell.toString());
    }
}

package io.weir.cluster.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.cluster.sink.CellText;
import io.weir.operators.graph.Kind;
import io.weir.operators.rows.RowBatch;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * The rows of a query as texts, and their difference from an answer. DOUBLEs may differ in their
 * last digits.
 */
final class LogicRows {
    private static final double TOLERANCE = 1e-9;
    private static final int MOST_SHOWN = 20;

    private final CellText cells = new CellText();
    private final List<String> rows = new ArrayList<>();
    private String types = "";

    /** Takes rows of the query. The results' thread, until the run ends. */
    void add(RowBatch batch) {
        int columns = batch.layout().columns().size();
        types = types(batch);
        for (int row = 0; row < batch.rows(); row++) {
            List<String> texts = new ArrayList<>();
            for (int column = 0; column < columns; column++) {
                texts.add(text(batch, row, column));
            }
            rows.add(String.join(" ", texts));
        }
    }

    private String text(RowBatch batch, int row, int column) {
        if (batch.isNull(row, column)) {
            return "NULL";
        }
        String text = cells.text(batch, row, column, batch.layout().kind(column));
        return text.isEmpty() ? "(empty)" : text;
    }

    private static String types(RowBatch batch) {
        StringBuilder types = new StringBuilder();
        batch.layout().columns().forEach(column -> types.append(letter(column.type().kind())));
        return types.toString();
    }

    private static char letter(Kind kind) {
        return switch (kind) {
            case BIGINT -> 'I';
            case DOUBLE -> 'R';
            case BOOLEAN -> 'B';
            case TIMESTAMP -> 'P';
            case INTERVAL -> '?'; // shown by NANOSECONDS
            case INET, MACADDR, VARCHAR -> 'T';
        };
    }

    /** Returns how these rows differ from those of the file, or "". */
    String difference(LogicFile.Query query) {
        if (!rows.isEmpty() && !types.equals(query.types())) {
            return "the columns are of the types " + types;
        }
        List<String> found = query.sorted() ? sorted(rows, query.types()) : rows;
        if (query.answer().size() == 1 && query.answer().get(0).contains(" values hashing to ")) {
            String hash = hash(found);
            return hash.equals(query.answer().get(0)) ? "" : hash + "\n" + shown("+ ", found);
        }
        List<String> wanted =
                query.sorted() ? sorted(query.answer(), query.types()) : query.answer();
        boolean same = wanted.size() == found.size();
        for (int i = 0; same && i < wanted.size(); i++) {
            same = isSame(wanted.get(i), found.get(i), query.types());
        }
        return same ? "" : difference(wanted, found);
    }

    /**
     * Sorts rows as text. DOUBLEs come last and as numbers, so that their last digits count not.
     */
    private static List<String> sorted(List<String> rows, String types) {
        Comparator<String> order = Comparator.comparing(row -> key(row, types));
        for (int i = 0; i < types.length(); i++) {
            int column = i;
            if (types.charAt(i) == 'R') {
                order = order.thenComparing(row -> number(row.split(" ", -1)[column]));
            }
        }
        return rows.stream().sorted(order).toList();
    }

    private static String key(String row, String types) {
        String[] values = row.split(" ", -1);
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < Math.min(values.length, types.length()); i++) {
            key.append(types.charAt(i) == 'R' ? "" : values[i] + " ");
        }
        return key.toString();
    }

    private static double number(String text) {
        return text.equals("NULL") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
    }

    private static boolean isSame(String wanted, String found, String types) {
        String[] a = wanted.split(" ", -1);
        String[] b = found.split(" ", -1);
        boolean same = a.length == types.length() && b.length == a.length;
        for (int i = 0; same && i < a.length; i++) {
            same = a[i].equals(b[i]) || types.charAt(i) == 'R' && isNear(a[i], b[i]);
        }
        return same;
    }

    private static boolean isNear(String wanted, String found) {
        if (wanted.equals("NULL") || found.equals("NULL")) {
            return false;
        }
        double a = Double.parseDouble(wanted);
        double b = Double.parseDouble(found);
        return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.max(Math.abs(a), Math.abs(b)));
    }

    private static String difference(List<String> wanted, List<String> found) {
        List<String> missing = new ArrayList<>(wanted);
        found.forEach(missing::remove);
        List<String> extra = new ArrayList<>(found);
        wanted.forEach(extra::remove);
        if (missing.isEmpty() && extra.isEmpty()) {
            return "the order is another:\n" + shown("+ ", found);
        }
        return "- of the file, + of Weir:\n" + shown("- ", missing) + shown("+ ", extra);
    }

    private static String shown(String mark, List<String> rows) {
        StringBuilder text = new StringBuilder();
        rows.stream().limit(MOST_SHOWN).forEach(row -> text.append(mark + row + "\n"));
        if (rows.size() > MOST_SHOWN) {
            text.append(mark + "… " + (rows.size() - MOST_SHOWN) + " more\n");
        }
        return text.toString();
    }

    /** As sqllogictest has it: the hash of all values, each with a line end. */
    private static String hash(List<String> rows) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            int values = 0;
            for (String row : rows) {
                for (String value : row.split(" ", -1)) {
                    digest.update((value + "\n").getBytes(UTF_8));
                    values++;
                }
            }
            String hex = HexFormat.of().formatHex(digest.digest());
            return values + " values hashing to " + hex;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // each JDK has MD5
        }
    }
}

package io.weir.cluster.launcher;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Random queries over queries, and their meaning over rows in plain Java: the oracle of {@link
 * RowsOfRowsOracleTest}. Each row has a key k and two numbers n and b.
 */
final class RowsModel {
    private static final long MS = 1_000_000L;
    private static final int[] LENGTHS_MS = {70, 130, 333, 500, 700, 1_000, 1_300, 1_500, 2_500};

    /** Times of a row of a window, or of a packet: then both are that. */
    record Row(long startNs, long endNs, long k, long n, long b) {}

    /** How rows come. */
    enum Form {
        PACKETS,
        WINDOWS,
        TABLE
    }

    private final Random random;
    private final StringBuilder sql = new StringBuilder();
    private List<Row> rows;
    private Form form;
    private int queries;

    RowsModel(Random random, List<Row> packets) {
        this.random = random;
        rows = packets;
        form = Form.PACKETS;
        first();
        for (int more = 1 + random.nextInt(3); more > 0; more--) {
            next();
        }
        if (form == Form.TABLE && sql.indexOf("passes", sql.lastIndexOf("CREATE")) >= 0) {
            totals(1 + random.nextInt(3));
        }
    }

    String sql() {
        return sql.toString();
    }

    String name() {
        return "r" + queries;
    }

    Form form() {
        return form;
    }

    List<Row> rows() {
        return rows;
    }

    private void create(String what, String from, String rest) {
        String read = queries == 0 ? from : "r" + queries;
        sql.append(
                "CREATE QUERY r%d AS SELECT %s FROM %s %s;\n"
                        .formatted(++queries, what, read, rest));
    }

    private void first() {
        switch (random.nextInt(5)) {
            case 0 -> create("ts, dst_port AS k, 1 AS n, bytes AS b", "packets", "");
            case 1 -> window("ts", "dst_port", 1_000_000, "COUNT(*)", "SUM(bytes)");
            case 2 -> group("dst_port", 1_000_000, "COUNT(*)", "SUM(bytes)");
            case 3 -> flows();
            default -> distinct("dst_port", "proto", 1_000_000, 17);
        }
    }

    private void next() {
        int choice = random.nextInt(form == Form.TABLE ? 4 : 6);
        int modulus = 1 + random.nextInt(6);
        if (choice == 0) {
            pass();
        } else if (choice == 1) {
            totals(modulus);
        } else if (choice == 2 && form == Form.TABLE) {
            distinct("k % " + modulus, "7", modulus, 7);
        } else if (form == Form.TABLE) {
            totals(modulus);
        } else {
            String time =
                    form == Form.PACKETS
                            ? "ts"
                            : random.nextBoolean() ? "window_end" : "window_start";
            window(time, "k % " + modulus, modulus, "SUM(n)", "SUM(b)");
        }
    }

    private void totals(int modulus) {
        group("k % " + modulus, modulus, "SUM(n)", "SUM(b)");
    }

    /** A filter: every row that it lets pass is as it was. */
    private void pass() {
        long least = 1L + random.nextInt(3);
        String times =
                switch (form) {
                    case PACKETS -> "ts, ";
                    case WINDOWS -> "window_end, window_start, ";
                    case TABLE -> "";
                };
        create(times + "k, n, b /* passes */", "", "WHERE n >= " + least + " AND k <> 2");
        rows = rows.stream().filter(r -> r.n() >= least && r.k() != 2).toList();
    }

    private void window(String time, String key, int modulus, String n, String b) {
        long slideNs = LENGTHS_MS[random.nextInt(LENGTHS_MS.length)] * MS;
        long sizeNs = slideNs * (random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 1);
        String window =
                sizeNs == slideNs
                        ? "TUMBLE(%s, INTERVAL '%d' MILLISECOND)".formatted(time, sizeNs / MS)
                        : "HOP(%s, INTERVAL '%d' MILLISECOND, INTERVAL '%d' MILLISECOND)"
                                .formatted(time, slideNs / MS, sizeNs / MS);
        create(
                "window_start, window_end, %s AS k, %s AS n, %s AS b".formatted(key, n, b),
                "packets",
                "GROUP BY " + window + ", " + key);
        Map<List<Long>, Row> groups = new LinkedHashMap<>();
        for (Row row : rows) {
            long timeNs = time.equals("window_end") ? row.endNs() - 1 : row.startNs();
            long startNs = Math.floorDiv(timeNs, slideNs) * slideNs;
            for (; startNs + sizeNs > timeNs; startNs -= slideNs) {
                add(groups, startNs, startNs + sizeNs, row.k() % modulus, row);
            }
        }
        rows = List.copyOf(groups.values());
        form = Form.WINDOWS;
    }

    private static void add(
            Map<List<Long>, Row> groups, long startNs, long endNs, long k, Row row) {
        groups.merge(
                List.of(startNs, k),
                new Row(startNs, endNs, k, row.n(), row.b()),
                (x, y) -> new Row(startNs, endNs, k, x.n() + y.n(), x.b() + y.b()));
    }

    private List<Row> grouped(int modulus) {
        Map<List<Long>, Row> groups = new TreeMap<>(Comparator.comparing(Object::toString));
        rows.forEach(row -> add(groups, 0, 0, row.k() % modulus, row));
        form = Form.TABLE;
        return new ArrayList<>(groups.values());
    }

    private void group(String key, int modulus, String n, String b) {
        List<Row> groups = grouped(modulus);
        String clauses = "GROUP BY " + key;
        long bound = groups.isEmpty() ? 5 : groups.get(random.nextInt(groups.size())).n();
        int choice = random.nextInt(4);
        if (choice == 0) {
            clauses += " HAVING " + n + " <= " + bound;
            groups.removeIf(row -> row.n() > bound);
        } else if (choice == 1) {
            clauses += " HAVING " + n + " > " + bound;
            groups.removeIf(row -> row.n() <= bound);
        } else if (choice == 2) {
            int limit = 1 + random.nextInt(3);
            clauses += " ORDER BY n DESC, k LIMIT " + limit;
            groups.sort(
                    Comparator.comparing(Row::n)
                            .reversed()
                            .thenComparing(Comparator.comparing(Row::k)));
            groups = groups.subList(0, Math.min(limit, groups.size()));
        }
        create("%s AS k, %s AS n, %s AS b".formatted(key, n, b), "packets", clauses);
        rows = List.copyOf(groups);
    }

    private void distinct(String key, String other, int modulus, long value) {
        rows = grouped(modulus).stream().map(r -> new Row(0, 0, r.k(), value, value)).toList();
        create("DISTINCT %s AS k, %s AS n, %s AS b".formatted(key, other, other), "packets", "");
    }

    /** Of packets there is one host to each port here. */
    private void flows() {
        rows = grouped(1_000_000);
        create("dst_port AS k, packets AS n, bytes AS b", "flows", "");
    }
}

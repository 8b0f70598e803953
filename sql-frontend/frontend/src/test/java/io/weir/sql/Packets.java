package io.weir.sql;

import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.InetText;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.interpret.Interpreter;
import io.weir.operators.interpret.Interpreter.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Packets for the naive interpreter, which says what a planned query means. */
final class Packets {
    static final long SECOND_NS = 1_000_000_000L;

    private final List<Event> events = new ArrayList<>();

    static Inet inet(String text) {
        return InetText.parse(text).orElseThrow();
    }

    /** Adds a packet at a time in milliseconds; {@code columns} are name, value, name, value, …. */
    Packets add(long timeMs, String src, String dst, Object... columns) {
        Map<String, Object> row = new HashMap<>();
        PacketColumns.all().forEach(c -> row.put(c.name(), zero(c.variable().type().kind())));
        row.put("ts", timeMs * 1_000_000);
        row.put("src_addr", inet(src));
        row.put("dst_addr", inet(dst));
        row.put("bytes", 100L);
        for (int i = 0; i < columns.length; i += 2) {
            Object value = columns[i + 1];
            row.put(
                    (String) columns[i],
                    value instanceof Integer n ? (Object) n.longValue() : value);
        }
        events.add(new Event(row, false));
        return this;
    }

    private static Object zero(Kind kind) {
        return switch (kind) {
            case INET -> inet("::");
            case VARCHAR -> "n1";
            default -> 0L;
        };
    }

    List<Event> events() {
        return events;
    }

    /** All rows of all windows, as text, in order. */
    List<String> rows(Query query) {
        return text(new Interpreter(query).run(events));
    }

    /** Rows of a query that reads the rows of another. */
    List<String> rows(Query first, Query second) {
        List<Event> between = new ArrayList<>();
        for (Interpreter.Output output : new Interpreter(first).run(events)) {
            for (List<Object> row : output.rows()) {
                Map<String, Object> columns = new HashMap<>();
                for (int i = 0; i < row.size(); i++) {
                    columns.put(first.columns().get(i).name(), row.get(i));
                }
                between.add(new Event(columns, false));
            }
        }
        return text(new Interpreter(second).run(between));
    }

    private static List<String> text(List<Interpreter.Output> outputs) {
        return outputs.stream()
                .flatMap(output -> output.rows().stream())
                .map(Object::toString)
                .toList();
    }

    List<String> rows(String sql) {
        return rows(query(sql));
    }

    static Query query(String sql) {
        return new SqlFrontend(Golden.running()).parseQuery(sql, Map.of()).query();
    }
}

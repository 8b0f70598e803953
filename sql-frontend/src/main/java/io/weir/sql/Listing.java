package io.weir.sql;

import java.util.List;

/** A small table of text, for people: what SHOW, DESCRIBE and EXPLAIN answer. */
public record Listing(List<String> columns, List<List<String>> rows) {
    public Listing {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }
}

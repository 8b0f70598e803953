package io.weir.sql;

import java.util.List;

/** A small table of text, for people: the answer of SHOW, DESCRIBE and EXPLAIN. */
public record Listing(List<String> columns, List<List<String>> rows) {
    public Listing {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }
}

package io.weir.operators.graph;

import io.weir.operators.graph.Expr.Variable;
import java.util.List;
import java.util.Optional;

/**
 * The columns of a lookup table, and how a key finds a row.
 *
 * @param columns of the table; those of the key are never NULL
 * @param key the places of the key's columns. With {@link Match#PREFIX} these are the network and
 *     the length of its prefix
 */
public record TableSchema(List<Variable> columns, List<Integer> key, Match match) {
    /** The rule by which a key finds a row. */
    public enum Match {
        /** The row whose key columns equal the key. */
        EQUAL,
        /** The row whose prefix is the longest of those that hold the address. */
        PREFIX
    }

    public TableSchema {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
    }

    public Optional<Variable> find(String column) {
        return columns.stream().filter(c -> c.name().equals(column)).findFirst();
    }

    /** Returns the columns that a lookup names: of a prefix the network alone. */
    public List<Variable> asked() {
        List<Integer> places = match == Match.PREFIX ? key.subList(0, 1) : key;
        return places.stream().map(columns::get).toList();
    }

    /** Returns the place of a column among the words of a row, after the word of NULLs. */
    public int word(int column) {
        int word = 1;
        for (Variable before : columns.subList(0, column)) {
            word += words(before.type().kind());
        }
        return word;
    }

    /** Returns the words of a row: one for the NULLs, then those of its columns. */
    public int words() {
        return word(columns.size());
    }

    private static int words(Kind kind) {
        return kind == Kind.INET ? 3 : 1;
    }
}

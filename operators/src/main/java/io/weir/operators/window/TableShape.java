package io.weir.operators.window;

import java.util.List;

/**
 * What a hash table of a pane is made like.
 *
 * @param keyWords over 0
 * @param initialValue value words of a new entry; empty for a set
 */
public record TableShape(int keyWords, List<Long> initialValue) {
    public TableShape {
        initialValue = List.copyOf(initialValue);
    }
}

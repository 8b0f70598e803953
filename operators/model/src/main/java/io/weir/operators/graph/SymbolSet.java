package io.weir.operators.graph;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Strings that keep their numbers as long as the set can be reached: those of a query's groups, or
 * those of a batch of rows. Any thread.
 */
public final class SymbolSet {
    /** The most strings of a query: its literals, and the texts in the keys of its groups. */
    public static final int MOST = 1 << 19;

    private final int most;
    private final Map<String, Symbol> symbols = new HashMap<>();
    private final Set<SymbolSet> others = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Makes the set of a query. */
    public SymbolSet() {
        this(MOST);
    }

    private SymbolSet(int most) {
        this.most = most;
    }

    /** Makes the set of some rows. Only the bound of the process holds for it. */
    public static SymbolSet ofRows() {
        return new SymbolSet(Integer.MAX_VALUE);
    }

    /**
     * Returns the number of a string that came from elsewhere, and keeps it.
     *
     * @throws WeirException TOO_MANY_STRINGS
     */
    public synchronized int id(String text) {
        Symbol known = symbols.get(text);
        if (known == null) {
            if (symbols.size() == most) {
                throw new WeirException(
                        ErrorCode.TOO_MANY_STRINGS,
                        "the groups of a query have more than " + most + " different texts",
                        "group by what the text is made of, and compute the text in SELECT");
            }
            known = Symbols.of(text);
            symbols.put(text, known);
        }
        return known.id();
    }

    /** Returns how many more texts there is room for, here and in the process. */
    public synchronized long room() {
        return Math.min(most - symbols.size(), Symbols.room());
    }

    private synchronized boolean isEmpty() {
        return symbols.isEmpty() && others.isEmpty();
    }

    /** Keeps the literals of a query, which are few. */
    public synchronized void keep(Collection<Symbol> literals) {
        literals.forEach(literal -> symbols.put(literal.text(), literal));
    }

    /** Keeps the strings of another set whose numbers were copied. */
    public void keep(SymbolSet other) {
        if (other != this && !other.isEmpty()) {
            synchronized (this) {
                others.add(other);
            }
        }
    }
}

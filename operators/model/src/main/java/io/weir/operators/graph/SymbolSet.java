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
 * The strings that the rows of one query may have. They keep their numbers as long as the set can
 * be reached. Any thread.
 */
public final class SymbolSet {
    /** The most strings of one set: of literals and of nodes. */
    public static final int MOST = 1 << 16;

    private final Map<String, Symbol> symbols = new HashMap<>();
    private final Set<SymbolSet> others = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * Returns the number of a string that came from elsewhere, and keeps it.
     *
     * @throws WeirException TOO_MANY_STRINGS
     */
    public synchronized int id(String text) {
        Symbol known = symbols.get(text);
        if (known == null) {
            if (symbols.size() == MOST) {
                throw new WeirException(
                        ErrorCode.TOO_MANY_STRINGS,
                        "the rows of a query have more than " + MOST + " distinct strings",
                        "use fewer literals and nodes, or more queries");
            }
            known = Symbols.of(text);
            symbols.put(text, known);
        }
        return known.id();
    }

    /** Keeps the literals of a query, which are few. */
    public synchronized void keep(Collection<Symbol> literals) {
        literals.forEach(literal -> symbols.put(literal.text(), literal));
    }

    /** Keeps the strings of another query whose rows this one reads. */
    public void keep(SymbolSet other) {
        if (other != this) {
            synchronized (this) {
                others.add(other);
            }
        }
    }
}

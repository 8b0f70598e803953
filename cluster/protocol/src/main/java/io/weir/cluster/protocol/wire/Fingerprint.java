package io.weir.cluster.protocol.wire;

import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold.StateWord;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.kernel.CompiledQuery;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.SortedMap;

/**
 * A number for all that two processes must agree on to merge each other's partials: the window, the
 * places of words, the folds. The update of folds and the later use of results are not part of it.
 * Stateless.
 */
final class Fingerprint {
    private Fingerprint() {}

    static long of(CompiledQuery code, SortedMap<Integer, EntryForm> tables) {
        Query query = code.query();
        StringBuilder text = new StringBuilder();
        text.append("form ").append(BlockForm.VERSION);
        query.aggregate()
                .flatMap(aggregate -> aggregate.window())
                .ifPresent(window -> add(text, window));
        tables.forEach((table, form) -> add(text, code, table, form));
        query.aggregate().ifPresent(a -> a.folds().forEach(call -> add(text, call)));
        if (query.budget().flatMap(Budget::rank).isPresent()) {
            // A process that does not know what was left out would call the groups exact.
            text.append("\nleft out is told");
        }
        if (query.aggregate().isEmpty()) {
            for (Expr.Variable column : code.heldLayout().columns()) {
                text.append("\ncolumn ").append(column.name()).append(' ').append(column.type());
            }
        }
        return hash(text.toString());
    }

    private static void add(StringBuilder text, Window window) {
        text.append("\nwindow ").append(window.sizeNs()).append(' ').append(window.slideNs());
        if (window.offsetNs() != 0) {
            text.append(" from ").append(window.offsetNs());
        }
    }

    private static void add(StringBuilder text, CompiledQuery code, int table, EntryForm form) {
        text.append("\ntable ").append(table).append(' ').append(form.keyWords());
        if (table != BlockForm.ROWS) {
            text.append(code.stateLayout().keyFields(table));
            text.append(code.stateLayout().table(table).initialValue());
        }
    }

    private static void add(StringBuilder text, FoldCall call) {
        text.append("\nfold ").append(call.fold().name()).append(call.distinct() ? " set" : "");
        for (StateWord word : call.fold().state()) {
            text.append(' ').append(word.name()).append(' ').append(word.kind());
        }
    }

    private static long hash(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return ByteBuffer.wrap(digest.digest(text.getBytes(StandardCharsets.UTF_8))).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

package io.weir.sql.validate;

import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Kind;
import io.weir.sql.error.SqlSource;
import io.weir.sql.parse.Lexer;
import io.weir.sql.parse.Token;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values of one statement's {@code ?}s, in their order. Values meet the tree and never the
 * text. If they are still to come, the statement reports their kinds. One statement, one thread at
 * a time.
 */
public final class Placeholders {
    /** The name of a {@code ?} among the names of parameters. */
    public static final String NAME = "?";

    private enum Mode {
        NONE,
        TO_COME,
        GIVEN
    }

    private final Mode mode;
    private final List<Literal> values;
    private final Map<Integer, Kind> kinds = new HashMap<>();
    private int count;

    private Placeholders(Mode mode, List<Literal> values) {
        this.mode = mode;
        this.values = Collections.unmodifiableList(new ArrayList<>(values));
    }

    /** For a text without values: a {@code ?} is an error. */
    public static Placeholders none() {
        return new Placeholders(Mode.NONE, List.of());
    }

    /** For a statement that is prepared: planned for its columns and kinds, not to be run. */
    public static Placeholders toCome() {
        return new Placeholders(Mode.TO_COME, List.of());
    }

    /**
     * @param values in order; null for one that is not set
     */
    public static Placeholders of(List<Literal> values) {
        return new Placeholders(Mode.GIVEN, values);
    }

    /** Returns whether a statement may have some. */
    public boolean areTaken() {
        return mode != Mode.NONE;
    }

    public boolean areToCome() {
        return mode == Mode.TO_COME;
    }

    /** Sets their number, once the statement is parsed. */
    public void counted(int inText) {
        count = inText;
    }

    public List<Literal> values() {
        return values;
    }

    /** Returns the value; empty if it is not set. */
    Optional<Literal> value(int index) {
        return mode == Mode.TO_COME
                ? Optional.of(Literal.nullOf(Kind.BIGINT))
                : Optional.ofNullable(values.get(index));
    }

    /** Notes that it stands where this kind is wanted. */
    void met(int index, Kind kind) {
        kinds.putIfAbsent(index, kind);
    }

    /** Returns the required kind of each; empty if any kind will do. */
    public List<Optional<Kind>> kinds() {
        List<Optional<Kind>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(Optional.ofNullable(kinds.get(i)));
        }
        return all;
    }

    /** Returns the statement with its values in their places, for people. */
    public String shownIn(String sql) {
        if (values.isEmpty()) {
            return sql;
        }
        SqlSource source = new SqlSource(sql);
        StringBuilder shown = new StringBuilder();
        int from = 0;
        int place = 0;
        for (Token token : Lexer.tokens(source)) {
            if (token.isSymbol('?') && place < values.size()) {
                shown.append(source.text(), from, token.offset()).append(text(values.get(place++)));
                from = token.end();
            }
        }
        return shown.append(source.text().substring(from)).toString();
    }

    private static String text(Literal literal) {
        if (literal == null) {
            return NAME;
        }
        return literal.value() instanceof String text
                ? "'" + text.replace("'", "''") + "'"
                : String.valueOf(literal.value());
    }
}

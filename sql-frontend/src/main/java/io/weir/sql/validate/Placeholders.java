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
 * What the {@code ?}s of one statement stand for, in their order: values, which meet the tree and
 * never the text, or values to come, of which the statement tells the kinds. One statement, one
 * thread at a time.
 */
public final class Placeholders {
    /** What a {@code ?} is called among the names of parameters. */
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

    /** Of a text that has no values for any: one is an error. */
    public static Placeholders none() {
        return new Placeholders(Mode.NONE, List.of());
    }

    /** Of a statement that is prepared: planned for its columns and kinds, not to be run. */
    public static Placeholders toCome() {
        return new Placeholders(Mode.TO_COME, List.of());
    }

    /**
     * @param values in order; null where none is set
     */
    public static Placeholders of(List<Literal> values) {
        return new Placeholders(Mode.GIVEN, values);
    }

    /** Whether a statement may have some. */
    public boolean areTaken() {
        return mode != Mode.NONE;
    }

    public boolean areToCome() {
        return mode == Mode.TO_COME;
    }

    /** As many as the statement has, once it is parsed. */
    public void counted(int inText) {
        count = inText;
    }

    public List<Literal> values() {
        return values;
    }

    /** Empty where it is not set. */
    Optional<Literal> value(int index) {
        return mode == Mode.TO_COME
                ? Optional.of(Literal.nullOf(Kind.BIGINT))
                : Optional.ofNullable(values.get(index));
    }

    /** It stands where this kind is wanted. */
    void met(int index, Kind kind) {
        kinds.putIfAbsent(index, kind);
    }

    /** Of each, what it must be; empty where anything will do. */
    public List<Optional<Kind>> kinds() {
        List<Optional<Kind>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(Optional.ofNullable(kinds.get(i)));
        }
        return all;
    }

    /** The statement with its values in their places, for people to read. */
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

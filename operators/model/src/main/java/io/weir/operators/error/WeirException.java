package io.weir.operators.error;

import java.util.Optional;

/**
 * An error that a user sees unchanged: a code, one sentence, the place in the text, and a remedy.
 */
public final class WeirException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient Place place;
    private final String hint;

    /**
     * A place in a text.
     *
     * @param line from 1
     * @param column from 1
     * @param excerpt the line, a newline, and a caret under the column
     */
    public record Place(int line, int column, String excerpt) {
        /** The place at a line and column of a text, with its excerpt. */
        public static Place in(String text, int line, int column) {
            String[] lines = text.split("\n", -1);
            String shown = line >= 1 && line <= lines.length ? lines[line - 1] : "";
            int at = Math.max(1, Math.min(column, shown.length() + 1));
            String indent = shown.substring(0, at - 1).replaceAll("[^\t]", " ");
            return new Place(line, column, shown + "\n" + indent + "^");
        }
    }

    public WeirException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    public WeirException(ErrorCode code, String message, String hint) {
        this(code, message, null, hint);
    }

    public WeirException(ErrorCode code, String message, Place place, String hint) {
        super(message);
        this.code = code;
        this.place = place;
        this.hint = hint;
    }

    public ErrorCode code() {
        return code;
    }

    public Optional<Place> place() {
        return Optional.ofNullable(place);
    }

    public Optional<String> hint() {
        return Optional.ofNullable(hint);
    }

    /** The whole error as a user reads it: one to four lines. */
    public String text() {
        StringBuilder text = new StringBuilder("error ").append(code).append(": ");
        text.append(getMessage());
        if (place != null) {
            text.append(" (line ").append(place.line());
            text.append(", column ").append(place.column()).append(')');
            text.append("\n  ").append(place.excerpt().replace("\n", "\n  "));
        }
        if (hint != null) {
            text.append("\nhint: ").append(hint);
        }
        return text.toString();
    }
}

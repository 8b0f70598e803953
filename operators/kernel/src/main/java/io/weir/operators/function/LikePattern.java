package io.weir.operators.function;

/** Matches patterns of LIKE: {@code %} is any text, {@code _} is one character. Stateless. */
final class LikePattern {
    static final int NO_ESCAPE = -1;

    private LikePattern() {}

    /**
     * Returns whether the whole text matches. It goes back to the latest {@code %} only, so it
     * takes at most the product of both lengths.
     */
    static boolean matches(String text, String pattern, int escape) {
        int at = 0;
        int place = 0;
        int afterPercent = -1;
        int resumed = 0;
        while (at < text.length()) {
            int wanted = place < pattern.length() ? pattern.codePointAt(place) : -1;
            boolean escaped = wanted == escape && wanted >= 0 && hasNext(pattern, place);
            if (wanted == '%' && !escaped) {
                afterPercent = ++place;
                resumed = at;
                continue;
            }
            int letter = escaped ? pattern.codePointAt(next(pattern, place)) : wanted;
            if (letter >= 0 && (letter == text.codePointAt(at) || letter == '_' && !escaped)) {
                place = next(pattern, escaped ? next(pattern, place) : place);
                at = next(text, at);
            } else if (afterPercent >= 0) {
                resumed = next(text, resumed);
                at = resumed;
                place = afterPercent;
            } else {
                return false;
            }
        }
        while (place < pattern.length() && isPercent(pattern, place, escape)) {
            place++;
        }
        return place == pattern.length();
    }

    private static boolean isPercent(String pattern, int at, int escape) {
        return pattern.charAt(at) == '%' && !(escape == '%' && hasNext(pattern, at));
    }

    private static int next(String text, int at) {
        return at + Character.charCount(text.codePointAt(at));
    }

    private static boolean hasNext(String text, int at) {
        return next(text, at) < text.length();
    }
}

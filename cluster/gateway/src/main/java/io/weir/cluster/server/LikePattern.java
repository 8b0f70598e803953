package io.weir.cluster.server;

import java.util.Locale;
import java.util.regex.Pattern;

/** JDBC's name patterns: % any text, _ any character, \ before either; null matches all. */
record LikePattern(Pattern pattern) {
    static LikePattern of(String likeOrNull) {
        if (likeOrNull == null) {
            return new LikePattern(Pattern.compile(".*"));
        }
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < likeOrNull.length(); i++) {
            char c = likeOrNull.charAt(i);
            if (c == '%') {
                regex.append(".*");
            } else if (c == '_') {
                regex.append('.');
            } else {
                boolean escape = c == '\\' && i + 1 < likeOrNull.length();
                char literal = escape ? likeOrNull.charAt(++i) : c;
                regex.append(Pattern.quote(String.valueOf(literal)));
            }
        }
        return new LikePattern(Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE));
    }

    /** Avatica sends none if a client asks for schemas without a name. There are none. */
    static LikePattern ofSchemas(String likeOrNull) {
        return of("".equals(likeOrNull) ? null : likeOrNull);
    }

    boolean matches(String name) {
        return pattern.matcher(name.toLowerCase(Locale.ROOT)).matches();
    }
}

package io.weir.cluster.audit;

import java.util.regex.Pattern;

/**
 * Removes secrets from a statement's text: the text after a name like {@code password}, and the
 * login in a URL. It works on text, so that malformed statements leak no secret either.
 */
final class Redaction {
    private static final String HIDDEN = "'***'";

    /** A literal that is not closed extends to the end. */
    private static final Pattern NAMED =
            Pattern.compile(
                    "(?is)([\\w.\"'-]*(?:passw|secret|token|credential|api_?key|jaas|private)[\\w.\"'-]*"
                            + "\\s*(?:=>|=|:|\\bto\\b|\\bis\\b|\\bas\\b)?\\s*)'(?:[^']|'')*+(?:'|\\z)");

    private static final Pattern IN_URL = Pattern.compile("://[^/@\\s']*@");

    private Redaction() {}

    static String of(String sql) {
        String named = NAMED.matcher(sql).replaceAll("$1" + HIDDEN);
        return IN_URL.matcher(named).replaceAll("://***@");
    }
}

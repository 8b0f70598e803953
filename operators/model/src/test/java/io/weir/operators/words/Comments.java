package io.weir.operators.words;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the comments of a Java file. Line comments on successive lines are one comment. */
final class Comments {
    private static final Pattern TOKEN =
            Pattern.compile(
                    "\"\"\"[\\s\\S]*?(?<!\\\\)\"\"\""
                            + "|\"(?:\\\\.|[^\"\\\\\\n])*+\""
                            + "|'(?:\\\\.|[^'\\\\\\n])++'"
                            + "|(/\\*[\\s\\S]*?\\*/)"
                            + "|((?<=^|\\n)[ \\t]*//[^\\n]*(?:\\n[ \\t]*//[^\\n]*)*+)"
                            + "|(//[^\\n]*)");

    private static final Pattern BLOCK_EDGE = Pattern.compile("^/\\*\\*?|\\*/$");
    private static final Pattern LINE_EDGE = Pattern.compile("(?m)^[ \\t]*(?:\\*+ ?|//+ ?)?");

    private Comments() {}

    /** The texts of the comments, without the signs that mark them. */
    static List<String> of(String source) {
        List<String> all = new ArrayList<>();
        Matcher token = TOKEN.matcher(source);
        while (token.find()) {
            if (token.group(1) != null) {
                String inner = BLOCK_EDGE.matcher(token.group(1)).replaceAll("");
                all.add(LINE_EDGE.matcher(inner).replaceAll(""));
            } else if (token.group(2) != null) {
                all.add(LINE_EDGE.matcher(token.group(2)).replaceAll(""));
            } else if (token.group(3) != null) {
                all.add(LINE_EDGE.matcher(token.group(3)).replaceAll(""));
            }
        }
        return all;
    }
}

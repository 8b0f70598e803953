package io.weir.operators.words;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Splits a comment into sentences and judges each by the two rules that a program can check. */
final class Sentences {
    static final int MOST_WORDS = 25;

    private static final Pattern SAMPLE = Pattern.compile("<pre>[\\s\\S]*?</pre>");
    private static final Pattern BREAK =
            Pattern.compile("</?(?:p|ul|ol|li|table|tr|td|th|br|h\\d)\\b[^>]*>");
    private static final Pattern MARKUP = Pattern.compile("</?[a-zA-Z][^>\\n]*>");
    private static final Pattern INLINE = Pattern.compile("\\{@\\w+\\s+([^{}]*)}");
    private static final Pattern BLOCK_TAG =
            Pattern.compile("(?m)^@(?:param|throws|exception)\\s+\\S+|^@\\w+");
    private static final Pattern PARAGRAPH = Pattern.compile("\\n\\s*\\n");
    private static final Pattern END =
            Pattern.compile("(?<=[.!?][\")\\]]?)\\s+(?=[`\"(\\[A-Z0-9])");
    private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

    /** A free relative ("What is written ...") or a bare genitive ("Of those ..."). */
    private static final Pattern RIDDLE =
            Pattern.compile(
                    "(?:(?:What|Who|Whom|Whose|Which|Where|Why|Whether|How)(?:ever)?"
                            + "|(?:In|By|From|At|For|With|To|On|Of|Under|Until|As) (?:what|whom"
                            + "|which|whose|where)"
                            + "|Of|Those|That which|That of|That in|That at|The same|All that"
                            + "|As (?:many|much|far|long)|(?:One|Ones) (?:that|who|which|of))\\b"
                            + ".*");

    private Sentences() {}

    static List<String> of(String comment) {
        String text = SAMPLE.matcher(comment).replaceAll("\n\n");
        text = BREAK.matcher(text).replaceAll("\n\n");
        text = INLINE.matcher(text).replaceAll(inline -> oneWord(inline.group(1)));
        text = MARKUP.matcher(text).replaceAll("");
        text = BLOCK_TAG.matcher(text).replaceAll("\n\n");
        return PARAGRAPH
                .splitAsStream(text)
                .flatMap(paragraph -> Arrays.stream(END.split(paragraph)))
                .map(sentence -> sentence.strip().replaceAll("\\s+", " "))
                .filter(sentence -> !sentence.isEmpty())
                .toList();
    }

    static boolean opensWithARiddle(String sentence) {
        return RIDDLE.matcher(sentence).matches();
    }

    static boolean isLong(String sentence) {
        return WORD.matcher(sentence).results().count() > MOST_WORDS;
    }

    /** Code is one word of any length, and may begin a sentence. */
    private static String oneWord(String code) {
        String joined = code.strip().replaceAll("\\s+", "_").replace(".", "");
        return java.util.regex.Matcher.quoteReplacement("`" + joined + "`");
    }
}

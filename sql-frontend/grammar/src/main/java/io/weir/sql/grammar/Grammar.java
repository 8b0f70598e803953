package io.weir.sql.grammar;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.validate.SqlConformance;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;

/**
 * Calls the generated parser: the text of one statement in, its tree or a {@link GrammarException}
 * out. Unquoted identifiers become lower case; double quotes keep their case. Any thread.
 */
public final class Grammar {
    private static final int IDENTIFIER_LENGTH = 128;
    private static final Pattern LEXICAL =
            Pattern.compile("Lexical error at line (\\d+), column (\\d+)");

    private static final SqlConformance CONFORMANCE =
            new SqlDelegatingConformance(SqlConformanceEnum.DEFAULT) {
                @Override
                public boolean isBangEqualAllowed() {
                    return true;
                }

                @Override
                public boolean isPercentRemainderAllowed() {
                    return true;
                }
            };

    private Grammar() {}

    /**
     * Parses one statement.
     *
     * @param text the statement, without a closing semicolon
     * @param line of its first character in the text that the user wrote, from 1
     * @param column likewise
     */
    public static ParsedStatement parse(String text, int line, int column) throws GrammarException {
        WeirSqlParser parser = new WeirSqlParser(new StringReader(text));
        try {
            parser.startAt(new StringReader(text), line, column);
            parser.setTabSize(1);
            parser.switchTo(SqlAbstractParserImpl.LexicalState.DQID);
            parser.setUnquotedCasing(Casing.TO_LOWER);
            parser.setQuotedCasing(Casing.UNCHANGED);
            parser.setIdentifierMaxLength(IDENTIFIER_LENGTH);
            parser.setConformance(CONFORMANCE);
            return parser.WeirStatementEof();
        } catch (ParseException e) {
            throw unexpected(e, line, column);
        } catch (TokenMgrError e) {
            throw lexical(e, line, column);
        } catch (CalciteContextException e) {
            throw refused(e);
        }
    }

    private static GrammarException unexpected(ParseException e, int line, int column) {
        if (e.currentToken == null || e.currentToken.next == null) {
            return new GrammarException(line, column, "", List.of(), "cannot be read");
        }
        Token token = e.currentToken.next;
        List<String> expected = new ArrayList<>();
        for (int[] sequence : e.expectedTokenSequences) {
            String image = e.tokenImage[sequence[0]];
            String name = image.startsWith("\"") ? image.substring(1, image.length() - 1) : image;
            if (!expected.contains(name)) {
                expected.add(name);
            }
        }
        String image = token.kind == WeirSqlParserConstants.EOF ? "" : token.image;
        return new GrammarException(token.beginLine, token.beginColumn, image, expected, null);
    }

    private static GrammarException lexical(TokenMgrError e, int line, int column) {
        Matcher place = LEXICAL.matcher(String.valueOf(e.getMessage()));
        boolean found = place.find();
        int atLine = found ? Integer.parseInt(place.group(1)) : line;
        int atColumn = found ? Integer.parseInt(place.group(2)) : column;
        return new GrammarException(atLine, atColumn, "", List.of(), "a character that SQL lacks");
    }

    private static GrammarException refused(CalciteContextException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return new GrammarException(
                e.getPosLine(), e.getPosColumn(), "", List.of(), cause.getMessage());
    }
}

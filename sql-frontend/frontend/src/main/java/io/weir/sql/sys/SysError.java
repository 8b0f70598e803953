package io.weir.sql.sys;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.error.SqlSource;
import io.weir.sql.parse.Nesting;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Turns Calcite's error against a statement into Weir's. */
final class SysError {
    private static final Map<Pattern, ErrorCode> CODES = new LinkedHashMap<>();

    static {
        CODES.put(Pattern.compile("^(Column|Table) '.*' not found"), ErrorCode.UNKNOWN_COLUMN);
        CODES.put(Pattern.compile("^No match found for function"), ErrorCode.UNKNOWN_FUNCTION);
        CODES.put(
                Pattern.compile("^(Cannot apply|Values passed|Cast function|Invalid number of)"),
                ErrorCode.TYPE_MISMATCH);
    }

    private static final Pattern INTERNAL =
            Pattern.compile("\\b(org|java|javax|com)\\.[a-z]+\\.|Exception|Error:|enum constant");

    private SysError() {}

    /**
     * @param at where the statement begins, for errors without a place
     */
    static WeirException of(SqlSource source, SqlParserPos at, Throwable thrown) {
        Throwable last = thrown;
        for (Throwable e = thrown; e != null; e = e.getCause()) {
            if (e instanceof WeirException ours) {
                return ours;
            } else if (e instanceof CalciteContextException wrong) {
                return refused(source, wrong);
            } else if (e instanceof SqlParseException wrong) {
                String first = wrong.getMessage().lines().findFirst().orElse("");
                return source.error(ErrorCode.SYNTAX, wrong.getPos(), first, null);
            }
            last = e;
        }
        if (last instanceof StackOverflowError) {
            return Nesting.tooDeep(source, at);
        }
        String said = said(last);
        return source.error(
                ErrorCode.INVALID_QUERY,
                at,
                "the SELECT cannot be worked out" + (isOurs(said) ? "" : ": " + said),
                "SELECT … FROM sys.queries lists the present rows; FROM packets gives rows as packets come");
    }

    /** Returns whether it names parts of the program, which do not help a user. */
    private static boolean isOurs(String said) {
        return said.isEmpty() || INTERNAL.matcher(said).find();
    }

    private static WeirException refused(SqlSource source, CalciteContextException wrong) {
        String said = said(wrong.getCause() == null ? wrong : wrong.getCause());
        ErrorCode code =
                CODES.entrySet().stream()
                        .filter(entry -> entry.getKey().matcher(said).find())
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse(ErrorCode.INVALID_QUERY);
        return source.error(code, wrong.getPosLine(), wrong.getPosColumn(), said, null);
    }

    private static String said(Throwable e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        return message.lines().findFirst().orElse("").strip();
    }
}

package io.weir.cluster.console;

import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import sqlline.SqlLine;

/** sqlline that shows errors as Weir wrote them. */
final class ConsoleLine extends SqlLine {
    /** What the driver's layers put before an error is noise to the person who typed the query. */
    private static final Pattern ERROR = Pattern.compile("error [A-Z_]+: ");

    @Override
    public void handleException(Throwable thrown) {
        Throwable sql = thrown;
        while (sql != null && !(sql instanceof SQLException)) {
            sql = sql.getCause();
        }
        error(text(sql == null ? thrown : sql));
    }

    /** The error's own text, without the wrappers' sentences. */
    static String text(Throwable error) {
        String message = error.getMessage() == null ? error.toString() : error.getMessage();
        Matcher matcher = ERROR.matcher(message);
        return matcher.find() ? message.substring(matcher.start()) : "error: " + message;
    }
}

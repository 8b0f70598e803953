package io.weir.cluster.server;

import java.io.IOException;
import java.lang.reflect.Method;
import java.sql.BatchUpdateException;
import java.sql.SQLClientInfoException;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.avatica.AvaticaClientRuntimeException;
import org.apache.calcite.avatica.AvaticaSqlException;

/**
 * Makes the SQLException of a client from any exception of Avatica. It has the server's text, an
 * SQLSTATE (docs/COMMANDS.md lists them), and the class that JDBC has for it.
 */
final class JdbcErrors {
    static final String CANCELLED = "57014";
    static final String NOT_SUPPORTED = "0A000";
    private static final String UNKNOWN = "HY000";
    private static final String WRAPPER = "Remote driver error: ";

    /** SQLSTATEs for Avatica's errors without one, by how they begin. */
    private static final Map<String, String> STATES =
            Map.of(
                    "Connection closed", "08003",
                    "Statement closed", "HY010",
                    "ResultSet closed", "24000",
                    "column '", "42703",
                    "invalid column ordinal", "07009",
                    "parameter ordinal", "07009",
                    "illegal ", "HY024",
                    "unbound parameter", "07001",
                    "Statement did not return a result set", "07005");

    private JdbcErrors() {}

    /** Returns the exception that a call of the API throws to its caller. */
    static Throwable of(Throwable thrown, Method call) {
        if (thrown instanceof BatchUpdateException
                || thrown instanceof SQLClientInfoException
                || thrown instanceof SQLTimeoutException
                || thrown instanceof Error) {
            return thrown;
        } else if (thrown instanceof UnsupportedOperationException
                || thrown instanceof SQLFeatureNotSupportedException && isBare(thrown)) {
            return notSupported(call, "is not supported");
        }
        return of(thrown);
    }

    private static boolean isBare(Throwable thrown) {
        return thrown.getMessage() == null;
    }

    /** Returns the exception outside of a call. */
    static SQLException of(Throwable thrown) {
        Optional<AvaticaClientRuntimeException> server =
                cause(thrown, AvaticaClientRuntimeException.class);
        Optional<TransportException> transport = cause(thrown, TransportException.class);
        if (thrown instanceof AvaticaSqlException said) {
            return of(
                    withoutWrapper(said.getErrorMessage()),
                    said.getSQLState(),
                    said.getErrorCode(),
                    thrown);
        } else if (server.isPresent()) {
            AvaticaClientRuntimeException said = server.get();
            String text = withoutWrapper(said.getMessage());
            return of(text, said.getSqlState(), said.getErrorCode(), thrown);
        } else if (transport.isPresent()) {
            return of(transport.get().getMessage(), transport.get().state(), 0, thrown);
        } else if (cause(thrown, IOException.class).isPresent()) {
            String why = cause(thrown, IOException.class).get().getMessage();
            return of("the connection to the server failed: " + why, "08006", 0, thrown);
        }
        SQLException sql = thrown instanceof SQLException ours ? ours : null;
        if (sql != null && sql.getSQLState() != null) {
            return sql;
        }
        String text = String.valueOf(thrown.getMessage());
        String state =
                sql instanceof SQLFeatureNotSupportedException
                        ? NOT_SUPPORTED
                        : text.startsWith("cannot convert") ? "22018" : state(text);
        return of(text, state, sql == null ? 0 : sql.getErrorCode(), thrown);
    }

    /** Returns the server's own text. Avatica puts the statement before it. */
    private static String withoutWrapper(String text) {
        int at = text.indexOf(WRAPPER);
        return at < 0 ? text : text.substring(at + WRAPPER.length());
    }

    private static String state(String text) {
        return STATES.entrySet().stream()
                .filter(entry -> text.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(UNKNOWN);
    }

    /** Bounded, because chains may be rings. */
    private static <T extends Throwable> Optional<T> cause(Throwable thrown, Class<T> type) {
        Throwable cause = thrown;
        for (int depth = 0; depth < 20 && cause != null; depth++) {
            if (type.isInstance(cause)) {
                return Optional.of(type.cast(cause));
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    static SQLException notSupported(Method call, String why) {
        String name = call.getDeclaringClass().getSimpleName() + "." + call.getName();
        return new SQLFeatureNotSupportedException(name + " " + why, NOT_SUPPORTED);
    }

    /** Makes an exception of the class that JDBC has for the state. */
    static SQLException of(String text, String state, int code, Throwable cause) {
        return switch (state.substring(0, 2)) {
            case "0A" -> new SQLFeatureNotSupportedException(text, state, code, cause);
            case "22" -> new SQLDataException(text, state, code, cause);
            case "28" -> new SQLInvalidAuthorizationSpecException(text, state, code, cause);
            case "42" -> new SQLSyntaxErrorException(text, state, code, cause);
            case "08" -> new SQLNonTransientConnectionException(text, state, code, cause);
            case "53" -> new SQLTransientException(text, state, code, cause);
            case "57" ->
                    state.equals(CANCELLED)
                            ? new SQLTimeoutException(text, state, code, cause)
                            : new SQLTransientException(text, state, code, cause);
            default -> new SQLException(text, state.equals("00000") ? UNKNOWN : state, code, cause);
        };
    }
}

package io.weir.cluster.server;

import io.weir.cluster.session.NoSessionException;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import org.apache.calcite.avatica.AvaticaSeverity;
import org.apache.calcite.avatica.NoSuchConnectionException;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.apache.calcite.avatica.remote.AvaticaRuntimeException;

/**
 * Makes Weir's errors into Avatica's: the whole text as the message, an SQLSTATE by class, and no
 * stack trace, which does not help a client.
 */
final class Errors {
    private static final boolean DEBUG = System.getenv("WEIR_DEBUG") != null;

    /**
     * The number of each error. It must not be 1. Avatica's drivers take 1 for a missing
     * connection, open it again, and repeat the refused request.
     */
    static final int CODE = 1_000;

    private Errors() {}

    /** Work that may fail. */
    interface Work<T> {
        T run() throws InterruptedException, NoSuchStatementException;
    }

    /** Work with a session. */
    interface SessionWork<T, E extends Exception> {
        T run() throws E;
    }

    /** Avatica's drivers open a connection that is missing again, and repeat the request. */
    static <T, E extends Exception> T inSession(SessionWork<T, E> work) throws E {
        try {
            return work.run();
        } catch (NoSessionException e) {
            throw new NoSuchConnectionException(e.getMessage());
        }
    }

    static void translate(Runnable work) {
        translate(
                () -> {
                    work.run();
                    return null;
                });
    }

    static <T> T translate(Work<T> work) {
        try {
            return work.run();
        } catch (NoSessionException e) {
            throw new NoSuchConnectionException(e.getMessage());
        } catch (NoSuchConnectionException | AvaticaRuntimeException e) {
            throw e;
        } catch (WeirException e) {
            throw toAvatica(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw toAvatica(new WeirException(ErrorCode.INTERNAL, "the server is stopping"));
        } catch (NoSuchStatementException | RuntimeException | StackOverflowError e) {
            if (DEBUG) {
                e.printStackTrace();
            }
            throw toAvatica(new WeirException(ErrorCode.INTERNAL, String.valueOf(e)));
        }
    }

    static AvaticaRuntimeException toAvatica(WeirException error) {
        return toAvatica(error.text(), state(error));
    }

    static AvaticaRuntimeException toAvatica(String text, String state) {
        AvaticaRuntimeException translated =
                new AvaticaRuntimeException(text, CODE, state, AvaticaSeverity.ERROR);
        translated.setStackTrace(new StackTraceElement[0]);
        return translated;
    }

    /** Returns the SQLSTATE of an error. */
    static String state(WeirException error) {
        return switch (error.code()) {
            case SYNTAX -> "42601";
            case UNKNOWN_COLUMN, COLUMN_ABSENT -> "42703";
            case UNKNOWN_STREAM, UNKNOWN_QUERY -> "42P01";
            case UNKNOWN_FUNCTION -> "42883";
            case TYPE_MISMATCH -> "42804";
            case DUPLICATE_QUERY -> "42P07";
            case WHEN_CYCLE -> "42P19";
            case MISSING_PARAMETER -> "07001";
            case INVALID_OPTION -> "22023";
            case NOT_SUPPORTED -> "0A000";
            case NOT_ALLOWED -> "42501";
            case NOT_AUTHENTICATED -> "28000";
            case UNREADABLE_INPUT, NOT_A_CAPTURE, SOURCE_GONE, UNWRITABLE_OUTPUT -> "58030";
            case OUT_OF_NATIVE_MEMORY -> "53200";
            case TOO_MANY_QUERIES -> "53300";
            case TOO_MANY_STRINGS -> "54001";
            case BUDGET_EXCEEDED -> "53400";
            case TEST_FAILED -> "P0004";
            case KAFKA_UNAVAILABLE -> "57P03";
            case INVALID_QUERY -> "42000";
            case MALFORMED_BYTES, OTHER_VERSION, INTERNAL -> "XX000";
        };
    }
}

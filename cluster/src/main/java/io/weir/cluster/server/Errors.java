package io.weir.cluster.server;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import org.apache.calcite.avatica.AvaticaSeverity;
import org.apache.calcite.avatica.NoSuchConnectionException;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.apache.calcite.avatica.remote.AvaticaRuntimeException;

/**
 * Weir's errors as Avatica sends them: the whole text as the message, an SQLSTATE by class, and no
 * stack trace, which is nothing to the client.
 */
final class Errors {
    private static final boolean DEBUG = System.getenv("WEIR_DEBUG") != null;

    private Errors() {}

    /** Work that may fail. */
    interface Work<T> {
        T run() throws InterruptedException, NoSuchStatementException;
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
        AvaticaRuntimeException translated =
                new AvaticaRuntimeException(error.text(), 1, state(error), AvaticaSeverity.ERROR);
        translated.setStackTrace(new StackTraceElement[0]);
        return translated;
    }

    private static String state(WeirException error) {
        if (error.code() == ErrorCode.NOT_ALLOWED) {
            return "42501";
        }
        return switch (error.code().kind()) {
            case USER -> "42000";
            case RESOURCE -> "53000";
            case INTERNAL -> "XX000";
        };
    }
}

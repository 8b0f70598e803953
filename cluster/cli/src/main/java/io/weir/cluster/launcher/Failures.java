package io.weir.cluster.launcher;

import io.weir.cluster.sink.OutputClosed;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Ends a run that failed: one error, an exit code, no stack trace. */
final class Failures {
    /** Options, with arguments that users sometimes give without them. */
    private static final Map<String, Pattern> MEANT =
            Map.of(
                    "--pcap", Pattern.compile("[^-].*\\.p?cap(ng)?\\d*$"),
                    "--sql", Pattern.compile("[^-].*\\.sql$"),
                    "-e", Pattern.compile("(?i)(SELECT|CREATE|SHOW|DESCRIBE|EXPLAIN)\\s"));

    private Failures() {}

    /** Returns the error of a wrong command line, as users see it. */
    static WeirException misuse(ParameterException error) {
        if (error.getCause() instanceof WeirException cause) {
            return cause;
        }
        String command = error.getCommandLine().getCommandSpec().qualifiedName();
        String hint = command + " -h shows the options";
        if (error instanceof UnmatchedArgumentException unmatched) {
            List<String> similar =
                    optionOf(unmatched).map(List::of).orElseGet(unmatched::getSuggestions);
            if (!similar.isEmpty()) {
                hint = "did you mean " + String.join(" or ", similar) + "? " + hint;
            }
        }
        String message =
                error.getMessage()
                        .replace('\n', ' ')
                        .replaceFirst("^Error: ", "")
                        .replace("option option ", "option ");
        return new WeirException(ErrorCode.INVALID_OPTION, message, hint);
    }

    /** Returns the forgotten option, from the argument that was given without one. */
    private static Optional<String> optionOf(UnmatchedArgumentException unmatched) {
        String given = unmatched.getUnmatched().get(0);
        CommandSpec command = unmatched.getCommandLine().getCommandSpec();
        return MEANT.entrySet().stream()
                .filter(meant -> meant.getValue().matcher(given).lookingAt())
                .map(Map.Entry::getKey)
                .filter(option -> command.findOption(option) != null)
                .map(option -> option + " " + (given.contains(" ") ? "'" + given + "'" : given))
                .findFirst();
    }

    /** Ends a run with any other error. A reader that went away is no failure. */
    static int failed(Throwable error, PrintStream err) {
        if (error instanceof OutputClosed closed) {
            if (closed.isBrokenPipe()) {
                return ExitCode.OK;
            }
            return failed(
                    new WeirException(
                            ErrorCode.UNWRITABLE_OUTPUT,
                            "the rows cannot be written: " + closed.getMessage()),
                    err);
        }
        if (error instanceof WeirException known) {
            err.println(known.text());
            debug(error, err, known.code() == ErrorCode.INTERNAL);
            return ExitCode.FAILED;
        }
        err.println(
                "error " + ErrorCode.INTERNAL + ": " + String.valueOf(error).replace('\n', ' '));
        err.println("hint: this is a fault of Weir; WEIR_DEBUG=1 shows where");
        debug(error, err, true);
        return ExitCode.FAILED;
    }

    private static void debug(Throwable error, PrintStream err, boolean internal) {
        if (internal && System.getenv("WEIR_DEBUG") != null) {
            error.printStackTrace(err);
        }
    }
}

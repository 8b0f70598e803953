package io.weir.cluster.launcher;

import io.weir.cluster.logging.LogForm;
import io.weir.cluster.logging.LogLevels;
import io.weir.cluster.logging.Logging;
import picocli.CommandLine.Option;

/** The option for the levels of messages, the same for all long-running commands. */
final class LogOption {
    static final String VARIABLE = "WEIR_LOG";
    private static final String OPTION = "--log";

    @Option(
            names = OPTION,
            paramLabel = "[NAME=]LEVEL,…",
            description = {
                "The least level of messages on standard error: off, error, warn, info, debug or"
                        + " trace. LEVEL is for all; NAME=LEVEL for weir, kafka or another logger"
                        + " (default: the environment's WEIR_LOG, or off,weir=info)."
            })
    private String levels;

    /** Writes messages from now on, before the option is known. */
    static void beginPlain(StandardStreams streams) {
        Logging.begin(streams.err(), LogForm.PLAIN, ofEnvironment());
    }

    /** Writes messages in that form from now on, if the levels are right. */
    void begin(StandardStreams streams, LogForm form) {
        LogLevels wanted = levels == null ? ofEnvironment() : LogLevels.parse(OPTION, levels);
        Logging.begin(streams.err(), form, wanted);
    }

    /** Writes messages as a service does. */
    void beginService(StandardStreams streams) {
        begin(streams, LogForm.ofService(System.getenv()));
    }

    private static LogLevels ofEnvironment() {
        String given = System.getenv(VARIABLE);
        return given == null || given.isBlank()
                ? LogLevels.DEFAULT
                : LogLevels.parse(VARIABLE, given);
    }
}

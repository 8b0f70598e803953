package io.weir.cluster.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.io.PrintStream;
import java.util.Map;

/**
 * Writes the messages of this process on standard error. Logback makes it at the first logger, so a
 * command without one does not pay for it. Settings apply before and after that. Thread-safe.
 */
public final class Logging extends ContextAwareBase implements Configurator {
    private static final Settings QUIET = new Settings(System.err, LogForm.TIMED, LogLevels.QUIET);

    private static volatile Settings settings = QUIET;

    /** Set once Logback runs. */
    private static LoggerContext running;

    private record Settings(PrintStream err, LogForm form, LogLevels levels) {}

    /** Writes messages there from now on. */
    public static void begin(PrintStream err, LogForm form, LogLevels levels) {
        set(new Settings(err, form, levels));
    }

    /** Writes nothing from now on, except the reason for which Kafka ends the process. */
    public static void end() {
        set(QUIET);
    }

    private static synchronized void set(Settings now) {
        LogLevels before = settings.levels();
        settings = now;
        if (running != null) {
            before.byLogger()
                    .keySet()
                    .forEach(name -> running.getLogger(name).setLevel(unset(name)));
            apply(now.levels());
        }
    }

    /** The root logger must have a level. */
    private static Level unset(String logger) {
        return logger.equals(Logger.ROOT_LOGGER_NAME) ? Level.OFF : null;
    }

    private static void apply(LogLevels levels) {
        for (Map.Entry<String, Level> one : levels.byLogger().entrySet()) {
            running.getLogger(one.getKey()).setLevel(one.getValue());
        }
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        AppenderBase<ILoggingEvent> lines =
                new AppenderBase<>() {
                    @Override
                    protected void append(ILoggingEvent event) {
                        Settings now = settings;
                        now.err().println(now.form().line(event));
                    }
                };
        lines.setContext(context);
        lines.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(lines);
        synchronized (Logging.class) {
            running = context;
            apply(settings.levels());
        }
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}

package io.weir.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * The messages that Weir logs in this process while this is open, as texts. A test opens it before
 * the thing that it looks at, and closes it after that. Thread-safe.
 */
public final class LogLines implements AutoCloseable {
    private static final String WEIR = "io.weir";

    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(WEIR);
    private final Level before = logger.getLevel();
    private final AppenderBase<ILoggingEvent> appender;

    private LogLines(
            Predicate<ILoggingEvent> wanted, UnaryOperator<String> shown, Consumer<String> seen) {
        appender =
                new AppenderBase<>() {
                    @Override
                    protected void append(ILoggingEvent event) {
                        if (wanted.test(event)) {
                            String text = shown.apply(event.getFormattedMessage());
                            texts.add(text);
                            seen.accept(text);
                        }
                    }
                };
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
        logger.setLevel(Level.INFO);
    }

    /** Collects the messages of these classes. */
    public static LogLines of(Class<?>... loggers) {
        Set<String> names = Stream.of(loggers).map(Class::getName).collect(Collectors.toSet());
        return new LogLines(
                event -> names.contains(event.getLoggerName()), text -> text, text -> {});
    }

    /** Collects the messages that start so, without that start. */
    public static LogLines after(String start) {
        return after(start, text -> {});
    }

    /**
     * Collects them likewise.
     *
     * @param seen takes each message, on the thread that logs it
     */
    public static LogLines after(String start, Consumer<String> seen) {
        return new LogLines(
                event -> event.getFormattedMessage().startsWith(start),
                text -> text.substring(start.length()),
                seen);
    }

    /** Returns the texts so far, in order. */
    public List<String> texts() {
        return texts;
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(before);
        appender.stop();
    }
}

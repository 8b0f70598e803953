package io.weir.cluster.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The form of a message on standard error. A message cannot forge another one: further lines of a
 * text are indented, and control characters become question marks.
 */
public enum LogForm {
    /** For a person at a terminal: the text; {@code note: } is before a warning. */
    PLAIN {
        @Override
        String line(ILoggingEvent event) {
            if (!isOwn(event)) {
                return TIMED.line(event);
            }
            String text = text(event);
            return event.getLevel().isGreaterOrEqual(Level.WARN) ? "note: " + text : text;
        }
    },

    /** For a file or a terminal: the time in UTC and the level before the text. */
    TIMED {
        @Override
        String line(ILoggingEvent event) {
            String time = TIME.format(Instant.ofEpochMilli(event.getTimeStamp()));
            return String.format(Locale.ROOT, "%s %-5s %s", time, event.getLevel(), named(event));
        }
    },

    /** For systemd's journal, which stamps the time: each line has its priority before it. */
    JOURNAL {
        @Override
        String line(ILoggingEvent event) {
            String priority = "<" + priority(event.getLevel()) + ">";
            return priority + named(event).replace("\n", "\n" + priority);
        }
    };

    private static final String OWN = "io.weir.";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}&&[^\n\t]]|[\\x80-\\x9f]");

    /** Standard error of this process. */
    private static final Path ERR = Path.of("/proc/self/fd/2");

    abstract String line(ILoggingEvent event);

    /** Returns the form for a process that runs on: the journal's, if standard error goes there. */
    public static LogForm ofService(Map<String, String> environment) {
        String stream = environment.get("JOURNAL_STREAM");
        try {
            return stream != null && stream.equals(id("dev") + ":" + id("ino")) ? JOURNAL : TIMED;
        } catch (IOException | UnsupportedOperationException e) {
            return TIMED;
        }
    }

    private static Object id(String attribute) throws IOException {
        return Files.getAttribute(ERR, "unix:" + attribute);
    }

    private static boolean isOwn(ILoggingEvent event) {
        return event.getLoggerName().startsWith(OWN);
    }

    private static String named(ILoggingEvent event) {
        return isOwn(event) ? text(event) : event.getLoggerName() + ": " + text(event);
    }

    private static String text(ILoggingEvent event) {
        String text = event.getFormattedMessage();
        if (event.getThrowableProxy() != null) {
            text += "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy()).stripTrailing();
        }
        return CONTROL.matcher(text.replace("\r\n", "\n")).replaceAll("?").replace("\n", "\n  ");
    }

    private static int priority(Level level) {
        if (level.isGreaterOrEqual(Level.ERROR)) {
            return 3;
        } else if (level.isGreaterOrEqual(Level.WARN)) {
            return 4;
        }
        return level.isGreaterOrEqual(Level.INFO) ? 6 : 7;
    }
}

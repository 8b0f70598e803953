package io.weir.cluster.logging;

import ch.qos.logback.classic.Level;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;

/**
 * The least level at which messages are written, by logger. Weir's own are written from INFO on,
 * and those of libraries are not. Kafka logs errors that it also throws, or tries again; Weir
 * reports them once, in its own words.
 */
public record LogLevels(Map<String, Level> byLogger) {
    private static final List<String> NAMES =
            List.of("off", "error", "warn", "info", "debug", "trace");

    /** Short names for groups of loggers. */
    private static final Map<String, List<String>> GROUPS =
            Map.of(
                    "weir",
                    List.of("io.weir"),
                    "kafka",
                    List.of("org.apache.kafka", "kafka", "state.change.logger"));

    /** Says why a broker ends the process. */
    private static final String FATAL =
            "org.apache.kafka.server.fault.ProcessTerminatingFaultHandler";

    /** No messages, except the reason for which Kafka ends the process. */
    static final LogLevels QUIET =
            new LogLevels(Map.of(Logger.ROOT_LOGGER_NAME, Level.OFF, FATAL, Level.ERROR));

    public static final LogLevels DEFAULT = QUIET.with("weir", Level.INFO);

    public LogLevels {
        byLogger = Map.copyOf(byLogger);
    }

    /**
     * Reads {@code LEVEL} for all loggers, {@code NAME=LEVEL} for those of a name, or several of
     * them, with commas between. The last one that fits a logger counts.
     *
     * @param setting its name, for errors
     * @throws WeirException INVALID_OPTION
     */
    public static LogLevels parse(String setting, String text) {
        LogLevels levels = DEFAULT;
        for (String part : text.split(",", -1)) {
            int equals = part.lastIndexOf('=');
            Level level = level(setting, text, part.substring(equals + 1).strip());
            levels =
                    equals < 0
                            ? new LogLevels(Map.of(Logger.ROOT_LOGGER_NAME, level))
                            : levels.with(name(setting, text, part.substring(0, equals)), level);
        }
        return levels;
    }

    private static Level level(String setting, String text, String name) {
        if (!NAMES.contains(name.toLowerCase(Locale.ROOT))) {
            throw wrong(setting, text, "'" + name + "' is no level of messages");
        }
        return Level.toLevel(name);
    }

    private static String name(String setting, String text, String given) {
        String name = given.strip();
        if (name.isEmpty() || name.contains("=")) {
            throw wrong(setting, text, "'" + name + "' is no name of a logger");
        }
        return name;
    }

    private static WeirException wrong(String setting, String text, String why) {
        return new WeirException(
                ErrorCode.INVALID_OPTION,
                setting + " " + text + " cannot be: " + why,
                "LEVEL or NAME=LEVEL, as in kafka=warn; levels are " + String.join(", ", NAMES));
    }

    private LogLevels with(String name, Level level) {
        Map<String, Level> all = new LinkedHashMap<>(byLogger);
        GROUPS.getOrDefault(name, List.of(name)).forEach(logger -> all.put(logger, level));
        return new LogLevels(all);
    }
}

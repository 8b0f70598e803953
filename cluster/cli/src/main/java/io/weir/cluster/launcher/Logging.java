package io.weir.cluster.launcher;

import java.util.Locale;
import java.util.Map;

/**
 * Configures the output of libraries on standard error: none, unless WEIR_LOG asks for it. Kafka
 * logs errors that it also throws, or tries again; Weir reports them once, in its own words. It
 * must run before a library's first output.
 */
final class Logging {
    private static final String VARIABLE = "WEIR_LOG";
    private static final String PREFIX = "org.slf4j.simpleLogger.";

    private Logging() {}

    static void configure(Map<String, String> environment) {
        String level = environment.getOrDefault(VARIABLE, "off").toLowerCase(Locale.ROOT);
        set("defaultLogLevel", level);
        set("showDateTime", "true");
        set("dateTimeFormat", "HH:mm:ss.SSS");
        set("logFile", "System.err");
    }

    private static void set(String key, String value) {
        if (System.getProperty(PREFIX + key) == null) {
            System.setProperty(PREFIX + key, value);
        }
    }
}

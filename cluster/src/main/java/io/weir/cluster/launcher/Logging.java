package io.weir.cluster.launcher;

import java.util.Locale;
import java.util.Map;

/**
 * What libraries may say on standard error: nothing, unless WEIR_LOG asks for it. Kafka logs what
 * is also thrown, or tried again; Weir says it once, in its own words. Before a library's first
 * word.
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

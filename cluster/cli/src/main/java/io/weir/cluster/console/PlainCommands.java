package io.weir.cluster.console;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines that are commands without a leading exclamation mark. */
final class PlainCommands {
    private static final Pattern DESCRIBED = Pattern.compile("\\\\d\\+?\\s+([^;]+?)\\s*;?");

    /** Words that other consoles accept without a semicolon, and sqlline's commands for them. */
    private static final Map<String, String> PLAIN_WORDS =
            Map.of(
                    "help", "!help",
                    "?", "!help",
                    "\\?", "!help",
                    "\\h", "!help",
                    "quit", "!quit",
                    "exit", "!quit",
                    "\\q", "!quit",
                    "\\d", "SHOW STREAMS;",
                    "\\dt", "SHOW STREAMS;");

    private PlainCommands() {}

    /** Returns sqlline's command for a line: the line itself, if it is none of the plain words. */
    static String command(String line) {
        String word = line.strip().replaceFirst(";$", "").toLowerCase(Locale.ROOT);
        Matcher described = DESCRIBED.matcher(line.strip());
        if (described.matches()) {
            return "DESCRIBE " + described.group(1) + ";";
        }
        // No statement begins with a backslash: sqlline would wait for a semicolon.
        String otherwise = word.startsWith("\\") ? "!" + line.strip() : line;
        return PLAIN_WORDS.getOrDefault(word, otherwise);
    }

    /**
     * Returns whether a line, at the place of a statement, is a whole command without a semicolon.
     */
    static boolean isCommand(String line) {
        return line.startsWith("!") || line.indexOf(';') < 0 && !command(line).equals(line);
    }
}

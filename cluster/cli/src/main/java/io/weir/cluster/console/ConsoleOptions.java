package io.weir.cluster.console;

import io.weir.cluster.disk.OwnFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import sqlline.BuiltInProperty;

/** The console's options of sqlline, and its file of past statements. */
final class ConsoleOptions {
    /** The rows that give the widths of a table's columns. */
    private static final String WIDTH_ROWS = "200";

    /** Tables are not cut at the terminal's width, because cut text cannot be seen at all. */
    private static final String WIDEST = "100000";

    /** The line editor's history file if no history is kept. */
    private static final Path NO_HISTORY = Path.of("/dev/null");

    private ConsoleOptions() {}

    private static Optional<Path> home() {
        String home = System.getenv("HOME");
        return Optional.ofNullable(home)
                .filter(text -> !text.isEmpty())
                .map(Path::of)
                .filter(Files::isWritable);
    }

    /** Returns the folder for sqlline's own files. */
    static Path folder() {
        return home().orElse(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /** Returns whether statements are remembered. */
    static boolean keepsHistory() {
        return home().isPresent();
    }

    private static Optional<Path> history() {
        return home().map(path -> path.resolve(".weir_history"));
    }

    /** Statements are private, so only the owner may read the file. */
    static void ownHistory() throws IOException {
        if (history().isPresent()) {
            OwnFiles.file(history().get());
        }
    }

    /** Returns the options that differ from sqlline's defaults. */
    static Map<BuiltInProperty, String> all() {
        Path history = history().orElse(NO_HISTORY);
        return Map.of(
                BuiltInProperty.PROMPT, "weir> ",
                BuiltInProperty.CSV_QUOTE_CHARACTER, "\"",
                BuiltInProperty.HISTORY_FILE, history.toString(),
                BuiltInProperty.ISOLATION, "TRANSACTION_NONE",
                BuiltInProperty.HEADER_INTERVAL, "-1",
                BuiltInProperty.MAX_WIDTH, WIDEST,
                BuiltInProperty.INCREMENTAL_BUFFER_ROWS, WIDTH_ROWS,
                BuiltInProperty.NULL_VALUE, "NULL");
    }
}

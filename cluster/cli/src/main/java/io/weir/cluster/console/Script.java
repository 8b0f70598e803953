package io.weir.cluster.console;

import io.weir.operators.error.WeirException;
import io.weir.sql.parse.StatementCutter.Piece;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import sqlline.DispatchCallback;

/**
 * Runs statements and commands of a text one by one. It stops at the first that fails or is
 * cancelled, or at {@code quit}, which leaves only this text. A command {@code !run FILE} in it is
 * a text of its own. One thread.
 */
final class Script {
    /** The depth of files that run files. A file that runs itself would never end. */
    private static final int DEEPEST = 16;

    private static final Pattern RUN = Pattern.compile("!run\\s+(['\"]?)(.+?)\\1\\s*;?");

    private final ConsoleLine line;
    private final Supplier<DispatchCallback> callbacks;
    private int depth;

    /**
     * @param callbacks makes one for each statement, which Ctrl-C reaches
     */
    Script(ConsoleLine line, Supplier<DispatchCallback> callbacks) {
        this.line = line;
        this.callbacks = callbacks;
    }

    /** Returns whether all succeeded. */
    boolean run(Reader text) throws IOException {
        ScriptLines lines = new ScriptLines(text);
        try {
            Optional<Piece> piece = lines.next();
            for (; piece.isPresent(); piece = lines.next()) {
                String command = line.command(piece.get());
                if (command.equals("!quit")) {
                    return true;
                } else if (!run(command)) {
                    return false;
                }
            }
            return true;
        } catch (WeirException e) {
            return line.error(e.text());
        }
    }

    /** Runs a command, or a statement by its name. */
    boolean run(String command) {
        Matcher file = RUN.matcher(command);
        if (file.matches()) {
            return runFile(file.group(2));
        } else if (command.equals("!help")) {
            line.output(HelpCommand.TEXT);
            return true;
        }
        DispatchCallback callback = callbacks.get();
        line.runCommands(List.of(command), callback);
        return !callback.isFailure() && !callback.isCanceled();
    }

    private boolean runFile(String name) {
        if (depth == DEEPEST) {
            return line.error("error: files run each other, more than " + DEEPEST + " deep");
        }
        depth++;
        try (Reader text = Files.newBufferedReader(Path.of(name), StandardCharsets.UTF_8)) {
            return run(text);
        } catch (NoSuchFileException e) {
            return line.error("error: there is no file " + name);
        } catch (IOException e) {
            return line.error("error: cannot read " + name + ": " + e.getMessage());
        } finally {
            depth--;
        }
    }
}

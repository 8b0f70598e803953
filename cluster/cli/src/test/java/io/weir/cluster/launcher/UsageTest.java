package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What {@code -h} says is read on terminals of 80 columns. */
class UsageTest {
    private static final int COLUMNS = 80;

    @Test
    void fitsWithoutBreakingExamples() {
        ByteArrayOutputStream none = new ByteArrayOutputStream();
        check(
                Weir.line(
                        new StandardStreams(
                                InputStream.nullInputStream(), none, new PrintStream(none, true))));
    }

    /** A command that is made alone is found by the name that it has among all. */
    @Test
    void eachCommandIsMadeByItsName() {
        ByteArrayOutputStream none = new ByteArrayOutputStream();
        StandardStreams streams =
                new StandardStreams(
                        InputStream.nullInputStream(), none, new PrintStream(none, true));
        Weir.commands(streams)
                .forEach(
                        (name, made) -> {
                            CommandLine line = new CommandLine(new Weir());
                            line.addSubcommand(made.get());
                            assertEquals(Set.of(name), line.getSubcommands().keySet());
                        });
    }

    private static void check(CommandLine command) {
        String usage = command.getUsageMessage();
        usage.lines().forEach(line -> assertTrue(line.length() <= COLUMNS, line));
        Arrays.stream(command.getCommandSpec().usageMessage().footer())
                .filter(line -> line.startsWith("  "))
                .forEach(line -> assertTrue(usage.lines().anyMatch(line::equals), line));
        command.getSubcommands().values().forEach(UsageTest::check);
    }
}

package io.weir.cluster.launcher;

import io.weir.cluster.doctor.Finding;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Checks a configuration file as the commands of its sections would, and starts nothing. */
final class ConfigCheck {
    private static final String STAGE = "config";

    private final Supplier<CommandLine> commands;
    private final Path path;

    /**
     * @param commands makes the command line, with nothing run yet
     */
    ConfigCheck(Supplier<CommandLine> commands, Path path) {
        this.commands = commands;
        this.path = path;
    }

    /** Returns a finding for each section that is wrong, or one if none is. */
    List<Finding> run() {
        List<String> sections = ConfiguredArguments.sections(commands.get());
        List<Finding> found = new ArrayList<>();
        List<String> there;
        try {
            there = ConfigFile.read(path, sections).sections();
        } catch (WeirException e) {
            return List.of(broken(e, ""));
        }
        for (String section : there) {
            try {
                check(section);
            } catch (WeirException e) {
                found.add(broken(e, section));
            }
        }
        if (found.isEmpty()) {
            String names = there.isEmpty() ? "no section" : "[" + String.join("], [", there) + "]";
            found.add(Finding.ok(STAGE, path + " has " + names));
        }
        return found;
    }

    private void check(String section) {
        CommandLine line = commands.get();
        ConfiguredArguments given =
                ConfiguredArguments.of(line, section, ConfigOption.NAME, path.toString());
        try {
            line.parseArgs(given.arguments());
            CommandLine command = line.getSubcommands().get(section);
            ConfiguredCommand configured = command.getCommand();
            configured.check();
        } catch (ParameterException e) {
            throw given.placed(Failures.misuse(e));
        } catch (WeirException e) {
            // A file that this user may not read is the service's.
            if (e.code() == ErrorCode.INVALID_OPTION) {
                throw given.placed(e);
            }
        }
    }

    /** An error without a place is about a section as a whole. */
    private Finding broken(WeirException error, String section) {
        String about =
                error.place()
                        .map(place -> error.getMessage() + " (line " + place.line() + ")")
                        .orElse(
                                section.isEmpty()
                                        ? error.getMessage()
                                        : path + ", [" + section + "]: " + error.getMessage());
        return Finding.broken(STAGE, about, error.hint().orElse(""));
    }
}

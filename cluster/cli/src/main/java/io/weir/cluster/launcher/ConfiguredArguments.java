package io.weir.cluster.launcher;

import io.weir.cluster.launcher.ConfigFile.Entry;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The arguments of a run, with those of its configuration file behind. The keys of a file are the
 * options of the command, so that the options' types, defaults and errors hold for both. An option
 * that was typed hides the file's.
 */
final class ConfiguredArguments {
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*");

    private final List<String> arguments;
    private final ConfigFile file;
    private final List<Entry> used;

    private ConfiguredArguments(List<String> arguments, ConfigFile file, List<Entry> used) {
        this.arguments = List.copyOf(arguments);
        this.file = file;
        this.used = List.copyOf(used);
    }

    /**
     * Reads the configuration file that the arguments name, if they do.
     *
     * @throws WeirException with the place of a mistake in the file
     */
    static ConfiguredArguments of(CommandLine line, String... typed) {
        List<String> arguments = List.of(typed);
        Optional<CommandSpec> command = command(line, arguments);
        Optional<Path> path = command.flatMap(c -> path(c, arguments));
        if (path.isEmpty()) {
            return new ConfiguredArguments(arguments, null, List.of());
        }
        ConfigFile file = ConfigFile.read(path.get(), sections(line));
        return with(file, command.get(), arguments);
    }

    private static ConfiguredArguments with(
            ConfigFile file, CommandSpec command, List<String> arguments) {
        List<String> all = new ArrayList<>(arguments);
        List<Entry> used = new ArrayList<>();
        Set<String> names = names(arguments);
        Map<String, OptionSpec> keys = keys(command);
        for (Entry entry : checked(file, command, keys)) {
            OptionSpec option = keys.get(entry.key());
            if (Arrays.stream(option.names()).noneMatch(names::contains)) {
                all.add("--" + entry.key() + "=" + entry.value());
                used.add(entry);
            }
        }
        return new ConfiguredArguments(all, file, used);
    }

    /** Returns the commands that take a file: their names are the sections. */
    static List<String> sections(CommandLine line) {
        return line.getSubcommands().entrySet().stream()
                .filter(c -> c.getValue().getCommand() instanceof ConfiguredCommand)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Returns the options that a file can set, by key. */
    static Map<String, OptionSpec> keys(CommandSpec command) {
        Map<String, OptionSpec> keys = new TreeMap<>();
        for (OptionSpec option : command.options()) {
            boolean about = option.usageHelp() || option.versionHelp();
            if (!about && !option.longestName().equals(ConfigOption.NAME)) {
                keys.put(option.longestName().substring("--".length()), option);
            }
        }
        return keys;
    }

    /** Returns the command that takes a file, unless only its help was asked for. */
    private static Optional<CommandSpec> command(CommandLine line, List<String> arguments) {
        if (arguments.isEmpty() || !sections(line).contains(arguments.get(0))) {
            return Optional.empty();
        }
        CommandSpec command = line.getSubcommands().get(arguments.get(0)).getCommandSpec();
        boolean further =
                arguments.size() > 1 && command.subcommands().containsKey(arguments.get(1));
        boolean help = arguments.contains("-h") || arguments.contains("--help");
        return further || help ? Optional.empty() : Optional.of(command);
    }

    /** Returns the file; none if the option is not there once, with a value. */
    private static Optional<Path> path(CommandSpec command, List<String> arguments) {
        List<String> found = new ArrayList<>();
        for (int i = 1; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.startsWith(ConfigOption.NAME + "=")) {
                found.add(argument.substring(ConfigOption.NAME.length() + 1));
            } else if (argument.equals(ConfigOption.NAME)) {
                found.add(i + 1 < arguments.size() ? arguments.get(i + 1) : "");
            }
        }
        boolean one = found.size() == 1 && !found.get(0).isEmpty();
        return one && !command.optionsMap().containsKey(found.get(0))
                ? Optional.of(Path.of(found.get(0)))
                : Optional.empty();
    }

    private static Set<String> names(List<String> arguments) {
        Set<String> names = new HashSet<>();
        for (String argument : arguments) {
            names.add(argument.split("=", 2)[0]);
        }
        return names;
    }

    /** Returns the entries of the command's section, whose keys are known and not repeated. */
    private static List<Entry> checked(
            ConfigFile file, CommandSpec command, Map<String, OptionSpec> keys) {
        Map<String, Integer> lines = new HashMap<>();
        List<Entry> entries = file.entries(command.name());
        for (Entry entry : entries) {
            OptionSpec option = keys.get(entry.key());
            if (option == null) {
                String help = "weir " + command.name() + " -h shows them, each with -- before it";
                throw file.wrong(
                        "[" + command.name() + "] has no key " + entry.key(),
                        entry.line(),
                        1,
                        Suggestion.hint(entry.key(), keys.keySet(), help));
            }
            Integer before = lines.put(entry.key(), entry.line());
            if (before != null && !option.isMultiValue()) {
                throw file.wrong(
                        entry.key() + " is set in line " + before + " already",
                        entry.line(),
                        1,
                        "it has one value");
            }
        }
        return entries;
    }

    String[] arguments() {
        return arguments.toArray(String[]::new);
    }

    /** Returns the same error, with its place in the file if it is about a value from there. */
    WeirException placed(WeirException error) {
        if (error.code() != ErrorCode.INVALID_OPTION || error.place().isPresent()) {
            return error;
        }
        return entryOf(error.getMessage())
                .map(entry -> file.wrong(error.getMessage(), entry, error.hint().orElse("")))
                .orElse(error);
    }

    /** Finds the first option that the message names, or else a value that it quotes. */
    private Optional<Entry> entryOf(String message) {
        Matcher option = OPTION.matcher(message);
        while (option.find()) {
            String key = option.group().substring("--".length());
            List<Entry> named = used.stream().filter(e -> e.key().equals(key)).toList();
            if (!named.isEmpty()) {
                return named.stream()
                        .filter(e -> message.contains(e.value()))
                        .findFirst()
                        .or(() -> Optional.of(named.get(0)));
            }
        }
        return used.stream().filter(e -> message.contains("'" + e.value() + "'")).findFirst();
    }
}

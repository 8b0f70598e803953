package io.weir.cluster.launcher;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/**
 * The option for a configuration file. {@link ConfiguredArguments} acts on it before the command
 * line is read.
 */
final class ConfigOption {
    static final String NAME = "--config";

    @SuppressWarnings("UnusedVariable") // its text is read before
    @Option(
            names = NAME,
            paramLabel = "FILE",
            description = {
                "Options from a file, as lines of key = value in the command's [section]; a key is an"
                        + " option's name without --. Options given here override it."
            })
    private Path file;
}

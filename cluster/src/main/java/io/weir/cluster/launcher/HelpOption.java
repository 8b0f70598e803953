package io.weir.cluster.launcher;

import picocli.CommandLine.Option;

/** {@code -h}, the same everywhere. */
final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean help;
}

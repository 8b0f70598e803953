package io.weir.cluster.launcher;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir version}: what {@code weir --version} says. */
@Command(name = "version", description = "Shows the version.")
final class VersionCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
        CommandLine line = spec.commandLine();
        line.getParent().printVersionHelp(line.getOut());
    }
}

package io.weir.cluster.testbed;

import io.weir.cluster.launcher.AddedCommand;
import io.weir.cluster.launcher.StandardStreams;
import picocli.CommandLine;

/** Adds {@code weir cluster} with its commands. */
public final class ClusterCommands implements AddedCommand {
    @Override
    public CommandLine command(StandardStreams streams) {
        CommandLine cluster = new CommandLine(new ClusterCommand());
        cluster.addSubcommand(new ClusterCommand.Demo(streams));
        cluster.addSubcommand(new ScaleCommand(streams));
        cluster.addSubcommand(new FaultsCommand(streams));
        return cluster;
    }
}

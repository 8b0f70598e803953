package io.weir.cluster.launcher;

import picocli.CommandLine;

/** A command of {@code weir} from another module. The service loader finds it. */
public interface AddedCommand {
    /** The command with its own commands, for one run of the command line. */
    CommandLine command(StandardStreams streams);
}

package io.weir.cluster.launcher;

import io.weir.cluster.broker.BrokerSettings;
import io.weir.cluster.broker.BrokerSettings.Voter;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes a broker's settings of its options. It is no part of the command: picocli looks at the
 * methods of all commands, also where the broker's classes are not there.
 */
final class BrokerValues {
    private BrokerValues() {}

    static BrokerSettings settings(int id, String host, int port, String controllers, Path logs) {
        List<Voter> voters =
                controllers == null
                        ? List.of(new Voter(id, host, port + 1))
                        : Voter.parse(controllers);
        return TypedOptions.named("--id", () -> new BrokerSettings(id, host, port, voters, logs));
    }
}

package io.weir.cluster.launcher;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;

/** The Kafka broker is a package of its own: an installation may lack it. */
final class BrokerPart {
    private static final String CLASS = "io.weir.cluster.broker.EmbeddedBroker";

    private BrokerPart() {}

    /**
     * Call it before any class of the broker.
     *
     * @throws WeirException NOT_SUPPORTED where the broker is not installed
     */
    static void require() {
        try {
            Class.forName(CLASS, false, BrokerPart.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "this installation has no Kafka broker",
                    "install the package weir-broker, or use a Kafka that runs elsewhere");
        }
    }
}

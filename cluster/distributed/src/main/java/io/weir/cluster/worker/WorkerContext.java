package io.weir.cluster.worker;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.sink.OutputSink;
import io.weir.operators.account.Account;

/**
 * All parts of one worker have these in common.
 *
 * @param life id of this process
 * @param beside also gets the rows that the worker finishes
 */
record WorkerContext(
        WorkerSettings settings,
        KafkaSettings kafka,
        String life,
        Account account,
        LastWakes lastWakes,
        WorkerMeter meter,
        PacketReading reading,
        WorkerEnd end,
        WorkerListener listener,
        OutputSink beside) {

    String name() {
        return settings.name();
    }
}

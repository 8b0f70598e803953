package io.weir.cluster.trigger;

import com.google.protobuf.ByteString;
import io.weir.cluster.wire.Activity;
import io.weir.cluster.wire.TriggerRecord;
import io.weir.operators.time.Clock;
import io.weir.operators.when.Binding;
import io.weir.operators.when.Waking;
import io.weir.operators.when.WhenState;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A trigger as a Kafka record. The topic keeps the latest of each kind for each query and its
 * values. So a reader that begins a month later knows which queries are awake.
 *
 * @param isSettled whether it is of no query
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TriggerMessage(byte[] key, byte[] value, boolean isSettled) {
    static final int FORMAT = 1;

    /**
     * Makes the trigger of a change: the query wakes, or its activation's end moves.
     *
     * @param clock when it is made
     * @param by the sender, for people
     */
    public static TriggerMessage of(
            Clock clock, String by, String query, long version, WhenState.Change change) {
        TriggerRecord.Builder record = begin(clock, by, query, version);
        if (!change.binding().equals(Binding.NONE)) {
            record.setBinding(ByteString.copyFrom(change.binding().toBytes()));
        }
        change.waking().ifPresent(w -> record.setWaking(ByteString.copyFrom(w.toBytes())));
        record.setClosed(change.closed());
        Activity activity =
                Activity.newBuilder()
                        .setFromNs(change.fromNs())
                        .setUntilNs(change.untilNs())
                        .build();
        return change.begins()
                ? of("wake", record.setWake(activity).build())
                : of("until", record.setUntil(activity).build());
    }

    /**
     * Returns the change of a record that is a wake or an end.
     *
     * @throws IllegalArgumentException when its values cannot be read
     */
    static WhenState.Change change(TriggerRecord record) {
        boolean begins = record.hasWake();
        Activity activity = begins ? record.getWake() : record.getUntil();
        Binding binding =
                record.getBinding().isEmpty()
                        ? Binding.NONE
                        : Binding.of(record.getBinding().toByteArray());
        return new WhenState.Change(
                binding,
                activity.getFromNs(),
                activity.getUntilNs(),
                begins,
                record.getClosed(),
                Waking.of(record.getWaking().toByteArray()));
    }

    static TriggerMessage settled(Clock clock, String by, long settledNs) {
        return of("settled", begin(clock, by, "", 0).setSettledNs(settledNs).build());
    }

    /**
     * Makes a trigger without effect: readers have settled so far long ago. The topic keeps one for
     * each sender.
     */
    static TriggerMessage ready(Clock clock, String by) {
        TriggerRecord record = begin(clock, by, "", 0).setSettledNs(Long.MIN_VALUE).build();
        byte[] key = ("ready " + by).getBytes(StandardCharsets.UTF_8);
        return new TriggerMessage(key, record.toByteArray(), true);
    }

    private static TriggerRecord.Builder begin(Clock clock, String by, String query, long version) {
        return TriggerRecord.newBuilder()
                .setFormat(FORMAT)
                .setQuery(query)
                .setVersion(version)
                .setBy(by)
                .setMadeMs(clock.millis());
    }

    private static TriggerMessage of(String kind, TriggerRecord record) {
        String of = kind + " " + record.getQuery();
        String values = HexFormat.of().formatHex(record.getBinding().toByteArray());
        byte[] key = (values.isEmpty() ? of : of + " " + values).getBytes(StandardCharsets.UTF_8);
        return new TriggerMessage(key, record.toByteArray(), record.hasSettledNs());
    }
}

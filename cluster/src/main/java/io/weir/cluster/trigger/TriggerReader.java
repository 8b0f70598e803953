package io.weir.cluster.trigger;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.wire.TriggerRecord;
import java.util.concurrent.atomic.AtomicLong;

/** Tells a receiver what records of {@code weir.triggers} say. One thread. */
final class TriggerReader {
    private final Triggers receiver;
    private final AtomicLong unread = new AtomicLong();

    TriggerReader(Triggers receiver) {
        this.receiver = receiver;
    }

    void read(byte[] value) {
        try {
            TriggerRecord record = TriggerRecord.parseFrom(value == null ? new byte[0] : value);
            if (record.getFormat() != TriggerMessage.FORMAT) {
                unread.incrementAndGet();
                return;
            }
            tell(record);
        } catch (InvalidProtocolBufferException e) {
            unread.incrementAndGet();
        }
    }

    private void tell(TriggerRecord record) {
        String query = record.getQuery();
        long version = record.getVersion();
        switch (record.getWhatCase()) {
            case WAKE ->
                    receiver.wake(
                            query,
                            version,
                            record.getWake().getFromNs(),
                            record.getWake().getUntilNs());
            case UNTIL ->
                    receiver.until(
                            query,
                            version,
                            record.getUntil().getFromNs(),
                            record.getUntil().getUntilNs());
            case SETTLED_NS -> {
                if (query.isEmpty()) { // releases before said it otherwise
                    receiver.settled(record.getSettledNs());
                }
            }
            case WHAT_NOT_SET -> unread.incrementAndGet();
        }
    }

    /** Records that were no triggers, or of another version of Weir. Any thread. */
    long unread() {
        return unread.get();
    }
}

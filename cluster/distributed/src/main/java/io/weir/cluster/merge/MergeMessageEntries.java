package io.weir.cluster.merge;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.results.OutboxEntries;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.outbox.OutboxReader;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.cluster.protocol.MessageOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes a worker's messages through an outbox to {@code weir.partials}, each to its shard's
 * partition. The windows of a turn and the mark of its end are one transaction. So a successor
 * finds whole windows up to a time, and nothing after it. Stateless.
 *
 * <pre>
 *   byte format, byte end (1: the last of a turn), int shard, long passed (of an end), the message
 * </pre>
 */
public final class MergeMessageEntries implements OutboxEntries {
    private static final byte FORMAT = 1;
    private static final int END = 1;
    private static final int SHARD = 2;
    private static final int PASSED = SHARD + Integer.BYTES;
    private static final int HEADER_BYTES = PASSED + Long.BYTES;

    private final KafkaSettings settings;
    private final String worker;
    private final byte[] key;

    public MergeMessageEntries(KafkaSettings settings, String worker) {
        this.settings = settings;
        this.worker = worker;
        this.key = worker.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String title() {
        return "worker " + worker + ": the outbox of partials";
    }

    /** Returns the name of a worker's outbox of partials. */
    public static String name(String worker) {
        return worker + " partials";
    }

    /**
     * Returns the writer of a worker's messages into its outbox. The results' thread.
     *
     * @param shards of the cluster
     */
    public static MessageOutput into(Outbox outbox, int shards) {
        return (shard, message) -> outbox.append(entry(shard, message, shards));
    }

    private static byte[] entry(int shard, MergeMessage message, int shards) {
        // At its end, a turn reports the passed time to all shards. The last shard's message is the
        // last one.
        boolean end = message instanceof MergeMessage.Passed && shard == shards - 1;
        long passedNs = end ? ((MergeMessage.Passed) message).watermarkNs() : 0;
        byte[] bytes = MergeMessageCodec.bytes(message);
        return ByteBuffer.allocate(HEADER_BYTES + bytes.length)
                .put(FORMAT)
                .put((byte) (end ? 1 : 0))
                .putInt(shard)
                .putLong(passedNs)
                .put(bytes)
                .array();
    }

    @Override
    public Optional<ProducerRecord<byte[], byte[]>> record(OutboxReader.Entry entry) {
        if (!isReadable(entry)) {
            return Optional.empty();
        }
        ByteBuffer buffer = ByteBuffer.wrap(entry.bytes());
        int shard = buffer.getInt(SHARD);
        byte[] value = new byte[entry.bytes().length - HEADER_BYTES];
        buffer.position(HEADER_BYTES).get(value);
        return shard < 0 || shard >= settings.shards()
                ? Optional.empty()
                : Optional.of(new ProducerRecord<>(Topics.PARTIALS, shard, key, value));
    }

    private static boolean isReadable(OutboxReader.Entry entry) {
        return entry.bytes().length >= HEADER_BYTES && entry.bytes()[0] == FORMAT;
    }

    @Override
    public boolean isEnd(OutboxReader.Entry entry) {
        return !isReadable(entry) || entry.bytes()[END] == 1;
    }

    @Override
    public OptionalLong passedNs(OutboxReader.Entry entry) {
        if (!isReadable(entry) || entry.bytes()[END] != 1) {
            return OptionalLong.empty();
        }
        long passedNs = ByteBuffer.wrap(entry.bytes()).getLong(PASSED);
        // A worker that has only begun has passed no more than its predecessors.
        return passedNs == Long.MIN_VALUE ? OptionalLong.empty() : OptionalLong.of(passedNs);
    }

    @Override
    public void ensureTopics() {
        Topics.ensureForWorker(settings);
    }
}

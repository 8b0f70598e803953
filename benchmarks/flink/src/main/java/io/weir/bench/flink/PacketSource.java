package io.weir.bench.flink;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A source of the packets in memory: no splits and no checkpoints, many packets a poll, since a
 * poll costs Flink more than a packet.
 */
final class PacketSource implements Source<Packet, PacketSource.NoSplit, Void> {
    private static final long serialVersionUID = 1;
    private static final int PACKETS_A_POLL = 1024;

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public SourceReader<Packet, NoSplit> createReader(SourceReaderContext context) {
        return new Reader();
    }

    @Override
    public SplitEnumerator<NoSplit, Void> createEnumerator(
            SplitEnumeratorContext<NoSplit> context) {
        return new NoSplits();
    }

    @Override
    public SplitEnumerator<NoSplit, Void> restoreEnumerator(
            SplitEnumeratorContext<NoSplit> context, Void checkpoint) {
        return new NoSplits();
    }

    @Override
    public SimpleVersionedSerializer<NoSplit> getSplitSerializer() {
        return new NoBytes<>(new NoSplit());
    }

    @Override
    public SimpleVersionedSerializer<Void> getEnumeratorCheckpointSerializer() {
        return new NoBytes<>(null);
    }

    private static final class Reader implements SourceReader<Packet, NoSplit> {
        private final Packet packet = new Packet();
        private int next;

        @Override
        public void start() {
            Pass.begin();
        }

        @Override
        public InputStatus pollNext(ReaderOutput<Packet> output) {
            PacketTable table = Pass.table();
            int end = Math.min(table.packets(), next + PACKETS_A_POLL);
            for (; next < end; next++) {
                table.read(next, packet);
                output.collect(packet, packet.tsNs / 1_000_000);
            }
            return next < table.packets() ? InputStatus.MORE_AVAILABLE : InputStatus.END_OF_INPUT;
        }

        @Override
        public List<NoSplit> snapshotState(long checkpoint) {
            return List.of();
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void addSplits(List<NoSplit> splits) {}

        @Override
        public void notifyNoMoreSplits() {}

        @Override
        public void close() {}
    }

    private static final class NoSplits implements SplitEnumerator<NoSplit, Void> {
        @Override
        public void start() {}

        @Override
        public void handleSplitRequest(int task, String host) {}

        @Override
        public void addSplitsBack(List<NoSplit> splits, int task) {}

        @Override
        public void addReader(int task) {}

        @Override
        public Void snapshotState(long checkpoint) {
            return null;
        }

        @Override
        public void close() {}
    }

    /** The split type of a source without splits. */
    static final class NoSplit implements SourceSplit {
        @Override
        public String splitId() {
            return "";
        }
    }

    /** A serializer for a type with one value. */
    private record NoBytes<T>(T value) implements SimpleVersionedSerializer<T> {
        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(T one) {
            return new byte[0];
        }

        @Override
        public T deserialize(int version, byte[] none) {
            return value;
        }
    }
}

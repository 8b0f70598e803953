package io.weir.cluster.merge;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.protocol.ActivationId;
import io.weir.cluster.protocol.MergeJournal.SourceMark;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.cluster.protocol.MergeStage;
import io.weir.cluster.protocol.UnreadableRecord;
import io.weir.cluster.wire.ActivationKey;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * Restores a stage from a {@link StoreJournal}, record by record. A record that cannot be read
 * stays there and is counted, because the next start would find the same. The stream's thread.
 */
final class StoreReader {
    private final MergeStage stage;
    private final BiPredicate<String, Long> gone;
    private final List<ActivationId> forgotten = new ArrayList<>();
    private final Map<String, String> lives = new HashMap<>();
    private final TreeMap<Long, MergeMessage> waiting = new TreeMap<>();
    private final List<UnreadableRecord> unread = new ArrayList<>();
    private long next;

    /**
     * @param gone whether a query's version is gone and will not come again
     */
    StoreReader(MergeStage stage, BiPredicate<String, Long> gone) {
        this.stage = stage;
        this.gone = gone;
    }

    /** Reads a record; in the order of the store. */
    void read(byte[] key, byte[] value) {
        try {
            if (restore(key, value)) {
                stage.counts().kept().incrementAndGet();
            }
        } catch (InvalidProtocolBufferException | RuntimeException unreadable) {
            unread.add(what(key));
        }
    }

    /** Ends after the last record. */
    void end() {
        for (UnreadableRecord one : unread) {
            stage.restoring().restore(one);
            if (one instanceof UnreadableRecord.OfActivation of) {
                forgetIfGone(of.activation());
            }
        }
        waiting();
    }

    private void forgetIfGone(ActivationId id) {
        if (gone.test(id.query(), id.version())) {
            forgotten.add(id);
        }
    }

    /** Returns the activations that no longer exist. */
    List<ActivationId> forgotten() {
        return forgotten;
    }

    /** Returns a number that no record has. */
    long next() {
        return next;
    }

    /**
     * Returns whether the record has a known kind. Records of a later release do not, and are not
     * needed.
     */
    private boolean restore(byte[] key, byte[] value) throws InvalidProtocolBufferException {
        switch (key[0]) {
            case StoreJournal.SOURCE -> source(key, value);
            case StoreJournal.ACTIVATION -> activation(key, value);
            case StoreJournal.PASSED -> stage.restorePassed(ByteBuffer.wrap(value).getLong());
            case StoreJournal.TOTALS -> total(key, value);
            case StoreJournal.WAITING -> waits(key, value);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void source(byte[] key, byte[] value) throws InvalidProtocolBufferException {
        String worker = new String(name(ByteBuffer.wrap(key)), StandardCharsets.UTF_8);
        SourceMark mark = MarkCodec.source(value);
        lives.put(worker, mark.life());
        stage.restoring().restore(worker, mark);
    }

    private void activation(byte[] key, byte[] value) throws InvalidProtocolBufferException {
        MarkCodec.Kept kept = MarkCodec.activation(value);
        check(kept.id().equals(id(ByteBuffer.wrap(key))));
        kept.goesOn().ifPresent(mark -> stage.restoring().restore(kept.id(), mark));
        kept.ended().ifPresent(mark -> stage.restoring().restore(kept.id(), mark));
        forgetIfGone(kept.id());
    }

    /** Ticks come in the order of keys. */
    private void total(byte[] key, byte[] value) throws InvalidProtocolBufferException {
        number(key);
        MarkCodec.KeptTotal kept = MarkCodec.total(value);
        ByteBuffer of = ByteBuffer.wrap(key);
        check(kept.id().equals(id(of)) && kept.endNs() == ordered(of));
        stage.restoring().restoreTotal(kept.id(), kept.endNs(), kept.block());
    }

    private void waits(byte[] key, byte[] value) throws InvalidProtocolBufferException {
        long number = number(key);
        MergeMessage message = MergeMessageCodec.message(value);
        check(window(message).equals(window(key)));
        waiting.put(number, message);
    }

    private static UnreadableRecord.Window window(MergeMessage message) {
        if (message instanceof MergeMessage.Block block) {
            return new UnreadableRecord.Window(block.activation(), block.endNs());
        } else if (message instanceof MergeMessage.WindowEnd end) {
            return new UnreadableRecord.Window(end.activation(), end.window().endNs());
        }
        throw new IllegalArgumentException("no part of a window: " + message);
    }

    private static UnreadableRecord.Window window(byte[] key)
            throws InvalidProtocolBufferException {
        ByteBuffer of = ByteBuffer.wrap(key);
        return new UnreadableRecord.Window(id(of), ordered(of));
    }

    /** A record that its key does not name is another's, or is damaged. */
    private static void check(boolean isOfKey) {
        if (!isOfKey) {
            throw new IllegalArgumentException("a record of the store does not fit its key");
        }
    }

    private long number(byte[] key) {
        long number = ordered(ByteBuffer.wrap(key, key.length - Long.BYTES, Long.BYTES));
        next = Math.max(next, number + 1);
        return number;
    }

    private static long ordered(ByteBuffer key) {
        return key.getLong() ^ Long.MIN_VALUE;
    }

    private static byte[] name(ByteBuffer key) {
        key.get();
        int length = key.getInt();
        if (length < 0 || length > key.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] name = new byte[length];
        key.get(name);
        return name;
    }

    /** A later release may have more in it. */
    private static ActivationId id(ByteBuffer key) throws InvalidProtocolBufferException {
        return MergeMessageCodec.id(ActivationKey.parseFrom(name(key)));
    }

    /** Describes a record as far as its key allows. */
    private static UnreadableRecord what(byte[] key) {
        try {
            return switch (key[0]) {
                case StoreJournal.WAITING -> window(key);
                case StoreJournal.ACTIVATION -> new UnreadableRecord.Mark(id(ByteBuffer.wrap(key)));
                case StoreJournal.TOTALS -> new UnreadableRecord.Totals(id(ByteBuffer.wrap(key)));
                case StoreJournal.SOURCE -> new UnreadableRecord.Other("how far a worker had come");
                case StoreJournal.PASSED -> new UnreadableRecord.Other("the time that had passed");
                default -> new UnreadableRecord.Other("of another kind");
            };
        } catch (InvalidProtocolBufferException | RuntimeException unreadable) {
            return new UnreadableRecord.Other("of a key that cannot be read");
        }
    }

    /** Leaves out windows that an earlier process of a worker began and nobody will end. */
    private void waiting() {
        Set<Object> ended = new HashSet<>();
        for (MergeMessage message : waiting.values()) {
            if (message instanceof MergeMessage.WindowEnd end) {
                ended.add(List.of(end.source(), end.activation(), end.window().endNs()));
            }
        }
        for (MergeMessage message : waiting.values()) {
            String life = lives.get(message.source().worker());
            // If a worker's process id cannot be read, it may be this one.
            boolean goesOn = life == null || message.source().life().equals(life);
            boolean whole =
                    message instanceof MergeMessage.Block block
                            && ended.contains(
                                    List.of(block.source(), block.activation(), block.endNs()));
            if (goesOn || whole || message instanceof MergeMessage.WindowEnd) {
                waited(message);
            }
        }
    }

    private void waited(MergeMessage message) {
        try {
            stage.restoring().restore(message);
        } catch (RuntimeException unreadable) {
            stage.restoring().restore(window(message));
        }
    }
}

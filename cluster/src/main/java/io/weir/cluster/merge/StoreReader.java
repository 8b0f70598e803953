package io.weir.cluster.merge;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.wire.ActivationKey;
import io.weir.operators.merge.ActivationId;
import io.weir.operators.merge.KeptUnread;
import io.weir.operators.merge.MergeJournal.SourceMark;
import io.weir.operators.merge.MergeStage;
import io.weir.operators.merge.Parcel;
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
 * Puts a stage where a {@link StoreJournal} was left, record by record. One that cannot be read is
 * passed over, where it is, and counted: the next start would find no other. The stream's thread.
 */
final class StoreReader {
    private final MergeStage stage;
    private final BiPredicate<String, Long> gone;
    private final List<ActivationId> forgotten = new ArrayList<>();
    private final Map<String, String> lives = new HashMap<>();
    private final TreeMap<Long, Parcel> waiting = new TreeMap<>();
    private final List<KeptUnread> unread = new ArrayList<>();
    private long next;

    /**
     * @param gone whether a query's version is no more, and will not come again
     */
    StoreReader(MergeStage stage, BiPredicate<String, Long> gone) {
        this.stage = stage;
        this.gone = gone;
    }

    /** In the order of the store. */
    void read(byte[] key, byte[] value) {
        try {
            if (restore(key, value)) {
                stage.counts().kept().incrementAndGet();
            }
        } catch (InvalidProtocolBufferException | RuntimeException unreadable) {
            unread.add(what(key));
        }
    }

    /** After the last one. */
    void end() {
        for (KeptUnread one : unread) {
            stage.restore(one);
            if (one instanceof KeptUnread.OfActivation of) {
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

    /** Of activations that are no more. */
    List<ActivationId> forgotten() {
        return forgotten;
    }

    /** A number that no record has. */
    long next() {
        return next;
    }

    /** Whether it is one of ours; a later release's is none: we do without. */
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
        stage.restore(worker, mark);
    }

    private void activation(byte[] key, byte[] value) throws InvalidProtocolBufferException {
        MarkCodec.Kept kept = MarkCodec.activation(value);
        check(kept.id().equals(id(ByteBuffer.wrap(key))));
        kept.goesOn().ifPresent(mark -> stage.restore(kept.id(), mark));
        kept.ended().ifPresent(mark -> stage.restore(kept.id(), mark));
        forgetIfGone(kept.id());
    }

    /** In the order of ticks, which is that of keys. */
    private void total(byte[] key, byte[] value) throws InvalidProtocolBufferException {
        number(key);
        MarkCodec.KeptTotal kept = MarkCodec.total(value);
        ByteBuffer of = ByteBuffer.wrap(key);
        check(kept.id().equals(id(of)) && kept.endNs() == ordered(of));
        stage.restoreTotal(kept.id(), kept.endNs(), kept.block());
    }

    private void waits(byte[] key, byte[] value) throws InvalidProtocolBufferException {
        long number = number(key);
        Parcel parcel = ParcelCodec.parcel(value);
        check(window(parcel).equals(window(key)));
        waiting.put(number, parcel);
    }

    private static KeptUnread.Window window(Parcel parcel) {
        if (parcel instanceof Parcel.Block block) {
            return new KeptUnread.Window(block.activation(), block.endNs());
        } else if (parcel instanceof Parcel.WindowEnd end) {
            return new KeptUnread.Window(end.activation(), end.window().endNs());
        }
        throw new IllegalArgumentException("no part of a window: " + parcel);
    }

    private static KeptUnread.Window window(byte[] key) throws InvalidProtocolBufferException {
        ByteBuffer of = ByteBuffer.wrap(key);
        return new KeptUnread.Window(id(of), ordered(of));
    }

    /** Records of what a key does not name are others', or have come to harm. */
    private static void check(boolean isOfKey) {
        if (!isOfKey) {
            throw new IllegalArgumentException("a record of the store is not what its key says");
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
        return ParcelCodec.id(ActivationKey.parseFrom(name(key)));
    }

    /** As far as its key says it. */
    private static KeptUnread what(byte[] key) {
        try {
            return switch (key[0]) {
                case StoreJournal.WAITING -> window(key);
                case StoreJournal.ACTIVATION -> new KeptUnread.Mark(id(ByteBuffer.wrap(key)));
                case StoreJournal.TOTALS -> new KeptUnread.Totals(id(ByteBuffer.wrap(key)));
                case StoreJournal.SOURCE -> new KeptUnread.Other("how far a worker had come");
                case StoreJournal.PASSED -> new KeptUnread.Other("the time that had passed");
                default -> new KeptUnread.Other("of another kind");
            };
        } catch (InvalidProtocolBufferException | RuntimeException unreadable) {
            return new KeptUnread.Other("of a key that cannot be read");
        }
    }

    /** Windows that a former life of a worker began and nobody will end are left out. */
    private void waiting() {
        Set<Object> ended = new HashSet<>();
        for (Parcel parcel : waiting.values()) {
            if (parcel instanceof Parcel.WindowEnd end) {
                ended.add(List.of(end.source(), end.activation(), end.window().endNs()));
            }
        }
        for (Parcel parcel : waiting.values()) {
            String life = lives.get(parcel.source().worker());
            // Of a worker whose life cannot be read it may be this one.
            boolean goesOn = life == null || parcel.source().life().equals(life);
            boolean whole =
                    parcel instanceof Parcel.Block block
                            && ended.contains(
                                    List.of(block.source(), block.activation(), block.endNs()));
            if (goesOn || whole || parcel instanceof Parcel.WindowEnd) {
                waited(parcel);
            }
        }
    }

    private void waited(Parcel parcel) {
        try {
            stage.restore(parcel);
        } catch (RuntimeException unreadable) {
            stage.restore(window(parcel));
        }
    }
}

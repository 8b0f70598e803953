package io.weir.cluster.merge;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.protocol.ActivationId;
import io.weir.cluster.protocol.MergeJournal.Absence;
import io.weir.cluster.protocol.MergeJournal.ActivationMark;
import io.weir.cluster.protocol.MergeJournal.EndedMark;
import io.weir.cluster.protocol.MergeJournal.Final;
import io.weir.cluster.protocol.MergeJournal.Late;
import io.weir.cluster.protocol.MergeJournal.PartMark;
import io.weir.cluster.protocol.MergeJournal.Place;
import io.weir.cluster.protocol.MergeJournal.SourceMark;
import io.weir.cluster.protocol.PacketCounts;
import io.weir.cluster.wire.StoredAbsence;
import io.weir.cluster.wire.StoredActivation;
import io.weir.cluster.wire.StoredLate;
import io.weir.cluster.wire.StoredPart;
import io.weir.cluster.wire.StoredSource;
import io.weir.cluster.wire.StoredTotal;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.RowContext;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The bytes of the merge's state store, except messages. Stateless. */
final class MarkCodec {
    private static final int FORMAT = 1;

    private MarkCodec() {}

    /** A stored activation: one that goes on, or one that has ended. */
    record Kept(ActivationId id, Optional<ActivationMark> goesOn, Optional<EndedMark> ended) {}

    /** A block of the changes that a tick adds to an activation's totals, or of all totals. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record KeptTotal(ActivationId id, long endNs, byte[] block) {}

    static byte[] bytes(SourceMark mark) {
        return StoredSource.newBuilder()
                .setFormat(FORMAT)
                .setLife(mark.life())
                .setNextSequence(mark.nextSequence())
                .setWatermarkNs(mark.watermarkNs())
                .setWhole(mark.whole())
                .setHeard(mark.heard())
                .build()
                .toByteArray();
    }

    static byte[] bytes(KeptTotal total) {
        return StoredTotal.newBuilder()
                .setFormat(FORMAT)
                .setActivation(MergeMessageCodec.key(total.id()))
                .setEndNs(total.endNs())
                .setGroups(ByteString.copyFrom(total.block()))
                .build()
                .toByteArray();
    }

    static byte[] bytes(ActivationId id, ActivationMark mark) {
        StoredActivation.Builder stored =
                made(id, mark.made())
                        .setActiveFromNs(mark.activeFromNs())
                        .setRowsSkipped(mark.rowsSkipped())
                        .setRowsPassed(mark.rowsPassed());
        new TreeMap<>(mark.parts()).forEach((worker, part) -> stored.addPart(stored(worker, part)));
        return stored.build().toByteArray();
    }

    /** Returns the bytes of an activation that has ended. */
    static byte[] bytes(ActivationId id, EndedMark mark) {
        // An earlier release takes it for one that goes on and has no waiting windows.
        StoredActivation.Builder stored =
                made(id, mark.made()).setActiveFromNs(RowContext.ALWAYS).setEnded(true);
        new TreeMap<>(mark.parts()).forEach((worker, part) -> stored.addPart(stored(worker, part)));
        return stored.build().toByteArray();
    }

    private static StoredActivation.Builder made(ActivationId id, Final made) {
        return StoredActivation.newBuilder()
                .setFormat(FORMAT)
                .setActivation(MergeMessageCodec.key(id))
                .setFinalNs(made.endNs())
                .setTotalsFinal(made.totals())
                .setUntold(made.untold());
    }

    private static StoredPart stored(String worker, PartMark part) {
        StoredPart.Builder stored =
                StoredPart.newBuilder()
                        .setWorker(worker)
                        .setKnown(part.known())
                        .setLastProcessed(part.lastProcessed())
                        .setUntilNs(part.untilNs())
                        .setEnded(part.ended())
                        .setGoesOn(part.goesOn())
                        .setGuessed(part.guessed());
        part.place().ifPresent(place -> stored.setLedger(place.ledger()).setPlace(place.packets()));
        part.late()
                .ifPresent(
                        late ->
                                stored.setLate(
                                        StoredLate.newBuilder()
                                                .setEarlier(late.earlier())
                                                .setPackets(late.packets())));
        part.absence()
                .ifPresent(
                        absence ->
                                stored.setAbsence(
                                        StoredAbsence.newBuilder()
                                                .setSinceNs(absence.sinceNs())
                                                .setUntilNs(absence.untilNs())
                                                .setOfLifeBefore(absence.ofLifeBefore())));
        return stored.build();
    }

    static SourceMark source(byte[] value) throws InvalidProtocolBufferException {
        StoredSource stored = StoredSource.parseFrom(value);
        check(stored.getFormat());
        return new SourceMark(
                stored.getLife(),
                stored.getNextSequence(),
                stored.getWatermarkNs(),
                stored.getWhole(),
                stored.getHeard());
    }

    static KeptTotal total(byte[] value) throws InvalidProtocolBufferException {
        StoredTotal stored = StoredTotal.parseFrom(value);
        check(stored.getFormat());
        return new KeptTotal(
                MergeMessageCodec.id(stored.getActivation()),
                stored.getEndNs(),
                stored.getGroups().toByteArray());
    }

    static Kept activation(byte[] value) throws InvalidProtocolBufferException {
        StoredActivation stored = StoredActivation.parseFrom(value);
        check(stored.getFormat());
        ActivationId id = MergeMessageCodec.id(stored.getActivation());
        Final made = new Final(stored.getFinalNs(), stored.getTotalsFinal(), stored.getUntold());
        Map<String, PartMark> parts = new TreeMap<>();
        for (StoredPart part : stored.getPartList()) {
            parts.put(part.getWorker(), part(part));
        }
        if (stored.getEnded()) {
            return new Kept(id, Optional.empty(), Optional.of(new EndedMark(made, parts)));
        }
        ActivationMark mark =
                new ActivationMark(
                        stored.getActiveFromNs(),
                        made,
                        parts,
                        stored.getRowsSkipped(),
                        stored.getRowsPassed());
        return new Kept(id, Optional.of(mark), Optional.empty());
    }

    private static PartMark part(StoredPart stored) {
        StoredAbsence absence = stored.getAbsence();
        return new PartMark(
                stored.getKnown(),
                stored.getLastProcessed(),
                stored.getUntilNs(),
                stored.getEnded(),
                stored.getGoesOn(),
                stored.getGuessed(),
                stored.hasAbsence()
                        ? Optional.of(
                                new Absence(
                                        absence.getSinceNs(),
                                        absence.getUntilNs(),
                                        absence.getOfLifeBefore()))
                        : Optional.empty(),
                stored.getLedger() == PacketCounts.NO_LEDGER
                        ? Optional.empty()
                        : Optional.of(new Place(stored.getLedger(), stored.getPlace())),
                stored.hasLate()
                        ? Optional.of(
                                new Late(
                                        stored.getLate().getEarlier(),
                                        stored.getLate().getPackets()))
                        : Optional.empty());
    }

    private static void check(int format) {
        if (format != FORMAT) {
            throw new WeirException(
                    ErrorCode.OTHER_VERSION,
                    "the merge's state store is in format "
                            + format
                            + "; this Weir reads "
                            + FORMAT);
        }
    }
}

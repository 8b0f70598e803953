package io.weir.cluster.protocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A journal in memory, for stages that are started anew. */
final class KeptJournal implements MergeJournal {
    private final Map<String, SourceMark> sources = new LinkedHashMap<>();
    private final Map<ActivationId, ActivationMark> activations = new LinkedHashMap<>();
    private final Map<ActivationId, EndedMark> ended = new LinkedHashMap<>();
    private final List<MergeMessage> waiting = new ArrayList<>();
    private final Map<ActivationId, TreeMap<Long, List<byte[]>>> totals = new LinkedHashMap<>();
    private final Map<ReaderId, ReaderMark> readers = new LinkedHashMap<>();
    private final Map<ReaderId, TreeMap<Long, ReadRows>> read = new LinkedHashMap<>();
    private long passedNs = Long.MIN_VALUE;
    private int snapshots;

    @Override
    public void source(String worker, SourceMark mark) {
        sources.put(worker, mark);
    }

    @Override
    public void waits(MergeMessage message) {
        waiting.add(message);
    }

    @Override
    public void isFinal(ActivationId activation, long endNs) {
        waiting.removeIf(message -> isOf(message, activation, endNs));
    }

    @Override
    public void isFinal(ActivationId activation, MergeMessage.WindowEnd end) {
        waiting.removeIf(
                message ->
                        isOf(message, activation, end.window().endNs())
                                && message.source().equals(end.source())
                                && message.sequence() <= end.sequence());
    }

    private static boolean isOf(MergeMessage message, ActivationId activation, long endNs) {
        return message instanceof MergeMessage.Block block
                ? block.activation().equals(activation) && block.endNs() == endNs
                : message instanceof MergeMessage.WindowEnd end
                        && end.activation().equals(activation)
                        && end.window().endNs() == endNs;
    }

    @Override
    public void activation(ActivationId activation, ActivationMark mark) {
        ended.remove(activation);
        activations.put(activation, mark);
    }

    @Override
    public void ended(ActivationId activation, EndedMark mark) {
        forgotten(activation);
        ended.put(activation, mark);
    }

    @Override
    public void forgotten(ActivationId activation) {
        ended.remove(activation);
        activations.remove(activation);
        totals.remove(activation);
    }

    @Override
    public void total(ActivationId activation, long endNs, byte[] block) {
        totals.computeIfAbsent(activation, id -> new TreeMap<>())
                .computeIfAbsent(endNs, end -> new ArrayList<>())
                .add(block);
    }

    @Override
    public void totalsGone(ActivationId activation) {
        totals.remove(activation);
        snapshots++;
    }

    @Override
    public void read(ReaderId reader, ReadRows rows) {
        read.computeIfAbsent(reader, id -> new TreeMap<>()).put(rows.number(), rows);
    }

    @Override
    public void notNeeded(ReaderId reader, long number) {
        read.get(reader).remove(number);
    }

    @Override
    public void reader(ReaderId reader, ReaderMark mark) {
        readers.put(reader, mark);
    }

    @Override
    public void readerGone(ReaderId reader) {
        readers.remove(reader);
        read.remove(reader);
    }

    @Override
    public void passed(long watermarkNs) {
        passedNs = watermarkNs;
    }

    /** Loses all totals; returns what they were of. */
    List<ActivationId> takeTotals() {
        List<ActivationId> of = List.copyOf(totals.keySet());
        totals.clear();
        return of;
    }

    /** What is final of those that have ended. */
    Map<ActivationId, EndedMark> ended() {
        return ended;
    }

    /** Packets that the next rows tell as lost. */
    long untold() {
        return ended.values().stream().mapToLong(mark -> mark.made().untold()).sum()
                + activations.values().stream().mapToLong(mark -> mark.made().untold()).sum();
    }

    /** How often totals took the place of their changes. */
    int snapshots() {
        return snapshots;
    }

    /** Puts a stage, whose queries are there, where this was left, and follows it. */
    void into(MergeStage stage) {
        new LinkedHashMap<>(sources).forEach(stage.restoring()::restore);
        new LinkedHashMap<>(ended).forEach(stage.restoring()::restore);
        new LinkedHashMap<>(activations).forEach(stage.restoring()::restore);
        totals.forEach(
                (id, ticks) ->
                        ticks.forEach(
                                (endNs, blocks) ->
                                        blocks.forEach(
                                                block ->
                                                        stage.restoring()
                                                                .restoreTotal(id, endNs, block))));
        stage.restorePassed(passedNs);
        List.copyOf(waiting).forEach(stage.restoring()::restore);
        readers.forEach(stage.restoring()::restore);
        read.forEach(
                (id, all) -> all.values().forEach(rows -> stage.restoring().restore(id, rows)));
        stage.journal(this);
        stage.resumeRows();
    }
}

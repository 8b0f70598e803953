package io.weir.ingest.wire.gpv;

import io.weir.ingest.source.GpvInlet;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.account.Counter;
import io.weir.operators.account.Stage;
import io.weir.operators.gpv.GpvLayout;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Takes checked blocks of many senders, and gives their GPVs to a {@link GpvInlet}. It counts each
 * block by its outcome, tells lost packets, and moves the watermark. One thread; no allocation per
 * block.
 */
final class BlockIntake {
    private final GpvInlet inlet;
    private final Senders senders;
    private final Stage blocks;
    private final boolean[] read = new boolean[GpvLayout.all().size()];
    private final Map<WireFault, Counter> faults = new EnumMap<>(WireFault.class);
    private final Map<Verdict, Counter> left = new EnumMap<>(Verdict.class);
    private final Counter otherLayout;
    private final long latenessNs;
    private final String name;

    /**
     * @param layouts that the queries read
     * @param mostSenders kept apart
     */
    BlockIntake(SourceContext context, SourceSpec spec, List<GpvLayout> layouts, int mostSenders) {
        inlet = new GpvInlet(context);
        blocks = inlet.blocks();
        senders = new Senders(mostSenders);
        name = spec.name();
        latenessNs = latenessNs(context, spec);
        layouts.forEach(layout -> read[layout.id()] = true);
        otherLayout = blocks.excluded("other_layout");
        for (WireFault fault : WireFault.ALL) {
            if (fault != WireFault.NONE) {
                faults.put(fault, blocks.lost(label(fault)));
            }
        }
        for (Verdict verdict : Verdict.values()) {
            left.put(verdict, counter(verdict));
        }
    }

    private Counter counter(Verdict verdict) {
        return switch (verdict) {
            case TAKEN -> blocks.processed();
            case COUNTS -> faults.get(WireFault.COUNTS);
            default -> blocks.excluded(label(verdict));
        };
    }

    /** A GPV's first packet is older than its last by the flush time-out at most. */
    private static long latenessNs(SourceContext context, SourceSpec spec) {
        long usualNs = context.config().latenessNs();
        long ownNs = spec.lateness().map(own -> own.toNanos()).orElse(usualNs);
        long usualTimeoutNs = context.config().cache().timeoutNs();
        return ownNs + spec.timeout().map(own -> own.toNanos()).orElse(usualTimeoutNs);
    }

    private static String label(Enum<?> reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the page of blocks, for those that never come here. */
    Stage blocks() {
        return blocks;
    }

    void source(int nodeSymbol) {
        inlet.source(0, nodeSymbol);
    }

    /**
     * Takes one block, or counts why it is left out.
     *
     * @param nowNs of a clock that never goes back
     */
    void block(ReceivedBlock block, long nowNs, long wallNs) {
        blocks.offered().add(1);
        WireFault fault = block.fault();
        if (fault != WireFault.NONE) {
            faults.get(fault).add(1);
            return;
        }
        if (!read[block.layoutId()]) {
            otherLayout.add(1);
            return;
        }
        Sender sender = senders.of(block, nowNs);
        Verdict verdict = sender == null ? Verdict.TOO_MANY_SENDERS : sender.take(block, nowNs);
        left.get(verdict).add(1);
        if (verdict == Verdict.TAKEN) {
            boolean inTime = sender.moveTo(block, wallNs, latenessNs);
            if (block.packets() > 0) {
                gpvs(block, inTime, wallNs);
            }
        }
    }

    private void gpvs(ReceivedBlock block, boolean inTime, long wallNs) {
        inlet.gpvs(
                block.layoutId(),
                block.gpvsAddress(),
                block.gpvs(),
                block.packets(),
                block.newestNs(),
                !inTime,
                wallNs);
    }

    /** Publishes what came, tells what is lost, and moves the watermark. */
    void passOn(long nowNs, long wallNs) {
        for (int i = 0; i < senders.count(); i++) {
            Sender sender = senders.sender(i);
            lost(sender, sender.settle(nowNs));
        }
        inlet.passTo(senders.watermarkNs(nowNs, wallNs, latenessNs));
    }

    private void lost(Sender sender, long packets) {
        if (packets > 0) {
            inlet.lost(packets, sender.gapNs());
        }
    }

    /** Ends the rings. */
    void end() {
        for (int i = 0; i < senders.count(); i++) {
            lost(senders.sender(i), senders.sender(i).settleAll());
        }
        inlet.end();
    }

    /** Returns sentences about blocks that were left out, and what helps. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (otherLayout.value() > 0) {
            notes.add(
                    name
                            + ": "
                            + otherLayout.value()
                            + " blocks have a layout that is not read (layout=…)");
        }
        long full = left.get(Verdict.TOO_MANY_SENDERS).value();
        if (full > 0) {
            notes.add(name + ": " + full + " blocks came of too many senders (senders=…)");
        }
        return notes;
    }
}

package io.weir.operators.node;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.interpret.Interpreter;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.ring.SourceThrottle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A naive source: a cache of flows that evicts at random, and the rules of lateness, watermarks and
 * throttle as the design has them. The rows must not depend on anything that is random here.
 */
final class ReplaySource {
    private final LocalEngine engine;
    private final EngineOptions options;
    private final List<BlockWriter> writers;
    private final SourceThrottle throttle;
    private final Random random;
    private final String layout;
    private final int cacheFlows;
    private final Map<Packet.Flow, List<Packet>> cache = new LinkedHashMap<>();
    private final List<Interpreter.Event> events = new ArrayList<>();
    private long newestNs = Long.MIN_VALUE;
    private int settlements;

    ReplaySource(LocalEngine engine, EngineOptions options, Random random, String layout) {
        this.engine = engine;
        this.options = options;
        this.writers = engine.writers();
        this.throttle = engine.throttle();
        this.random = random;
        this.layout = layout;
        this.cacheFlows = 1 + random.nextInt(60);
    }

    void replay(List<Packet> packets) {
        packets.forEach(this::packet);
        List.copyOf(cache.keySet()).forEach(this::evict);
        writers.forEach(BlockWriter::end);
    }

    /** What was replayed, with the lateness that this source saw. */
    List<Interpreter.Event> events() {
        return events;
    }

    int settlements() {
        return settlements;
    }

    private void packet(Packet packet) {
        if (packet.tsNs() >= throttle.holdAtNs()) {
            newestNs = Math.max(newestNs, packet.tsNs());
            expire(packet.tsNs());
            flush();
            throttle.settle();
            settlements++;
        }
        newestNs = Math.max(newestNs, packet.tsNs());
        boolean late = packet.tsNs() < newestNs - options.latenessNs();
        events.add(new Interpreter.Event(packet.row(), late));
        if (late) {
            evict(packet.flow());
            write(List.of(packet), true);
        } else {
            cache(packet);
        }
        if (random.nextInt(40) == 0) {
            expire(newestNs);
            flush();
        }
    }

    private void cache(Packet packet) {
        List<Packet> open = cache.get(packet.flow());
        if (open != null && !fits(open, packet)) {
            evict(packet.flow());
        }
        cache.computeIfAbsent(packet.flow(), f -> new ArrayList<>()).add(packet);
        if (cache.size() > cacheFlows) {
            evict(cache.keySet().iterator().next());
        }
    }

    private boolean fits(List<Packet> open, Packet packet) {
        GpvLayout shape = layout(packet);
        long deltaNs = packet.tsNs() - open.get(0).tsNs();
        boolean forward = packet.tsNs() >= open.get(open.size() - 1).tsNs();
        return forward && open.size() < 12 && deltaNs / shape.deltaUnitNs() <= shape.maxDelta();
    }

    private GpvLayout layout(Packet packet) {
        return GpvLayout.of(layout, packet.src().family()).orElseThrow();
    }

    private void expire(long nowNs) {
        List<Packet.Flow> old = new ArrayList<>();
        cache.forEach(
                (flow, open) -> {
                    if (open.get(0).tsNs() < nowNs - options.timeoutNs()) {
                        old.add(flow);
                    }
                });
        old.forEach(this::evict);
    }

    private void evict(Packet.Flow flow) {
        List<Packet> open = cache.remove(flow);
        if (open != null) {
            write(open, false);
        }
    }

    private void write(List<Packet> packets, boolean late) {
        Packet first = packets.get(0);
        GpvLayout shape = layout(first);
        long[] deltas =
                packets.stream()
                        .mapToLong(p -> (p.tsNs() - first.tsNs()) / shape.deltaUnitNs())
                        .toArray();
        new RandomGpv(random, shape, packets.size(), first.tsNs())
                .with("src_addr", first.src())
                .with("dst_addr", first.dst())
                .with("src_port", first.srcPort())
                .with("dst_port", first.dstPort())
                .with("proto", first.proto())
                .with(GpvLayout.DELTA, deltas)
                .with("bytes", packets.stream().mapToLong(Packet::bytes).toArray())
                .writeTo(writers.get(first.ring(writers.size())), late, newestNs);
        engine.poll();
    }

    private void flush() {
        long[] oldest = new long[writers.size()];
        Arrays.fill(oldest, newestNs - options.latenessNs());
        for (List<Packet> open : cache.values()) {
            int ring = open.get(0).ring(oldest.length);
            oldest[ring] = Math.min(oldest[ring], open.get(0).tsNs());
        }
        for (int i = 0; i < oldest.length; i++) {
            writers.get(i).flush(oldest[i]);
        }
        engine.poll();
    }
}

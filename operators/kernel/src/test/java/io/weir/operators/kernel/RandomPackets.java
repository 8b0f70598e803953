package io.weir.operators.kernel;

import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Symbols;
import io.weir.operators.interpret.Interpreter.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** GPVs of few flows over few seconds, and the same packets as rows for the interpreter. */
final class RandomPackets {
    static final long START_NS = 1_700_000_000_000_000_000L;

    /** One GPV, its place in the stream, and its packets as events. */
    record Sent(RandomGpv gpv, boolean late, int node, List<Event> events) {
        int flags() {
            return late ? BlockLayout.SEGMENT_FLAG_LATE : 0;
        }

        long firstNs() {
            return gpv.tsNs(0);
        }
    }

    /**
     * What the packets of a stream are like.
     *
     * @param addresses how many there are: with few, groups have many packets; with many, maps grow
     * @param values small values of other fields
     * @param packets most of a GPV
     */
    record Shape(int addresses, int values, int packets, long stepNs) {
        /** Few of everything, so that all groups meet all packets. */
        static Shape small(Random random) {
            return new Shape(3, 5, 6, random.nextInt(6) == 0 ? 20_000_000_000L : 150_000_000L);
        }

        /** Many groups in few windows. */
        static Shape wide(Random random) {
            int addresses = 1 << 2 + random.nextInt(10);
            int packets = 1 + random.nextInt(4) * random.nextInt(20);
            return new Shape(addresses, 1 << random.nextInt(9), packets, 2_000_000L);
        }
    }

    private RandomPackets() {}

    static Inet address(Random random, int family) {
        return address(random, family, 3);
    }

    private static Inet address(Random random, int family, int addresses) {
        int host = random.nextInt(addresses);
        return family == 4
                ? Inet.v4(random.nextInt(8) == 0 ? 0 : 0x0A000000 + host)
                : Inet.v6(random.nextInt(8) == 0 ? 0 : 0x2001_0db8_0000_0000L, host);
    }

    /** Columns that GPVs of this layout carry. */
    static List<Expr.Variable> columns(GpvLayout layout) {
        return PacketColumns.all().stream()
                .filter(c -> PacketColumns.isCarriedBy(c.name(), layout))
                .map(PacketColumns.PacketColumn::variable)
                .toList();
    }

    static List<Sent> stream(
            Random random, String layout, int gpvs, boolean withLate, Shape shape) {
        List<Sent> stream = new ArrayList<>();
        int families = random.nextInt(4);
        long now = START_NS;
        int node = Symbols.id("node" + random.nextInt(3));
        for (int i = 0; i < gpvs; i++) {
            now += random.nextLong(shape.stepNs());
            boolean six = families == 0 || families < 3 && random.nextBoolean();
            boolean late = withLate && random.nextInt(6) == 0;
            long startNs = late ? now - random.nextLong(5_000_000_000L) : now;
            GpvLayout ofFamily = GpvLayout.of(layout, six ? 6 : 4).orElseThrow();
            RandomGpv gpv = gpv(random, ofFamily, startNs, shape);
            stream.add(new Sent(gpv, late, node, events(gpv, late, node)));
        }
        return stream;
    }

    private static RandomGpv gpv(Random random, GpvLayout layout, long startNs, Shape shape) {
        // Few have more than one byte of the count can say.
        boolean large = shape.packets() > 20 && random.nextInt(64) == 0;
        int count = 1 + random.nextInt(large ? 600 : shape.packets());
        RandomGpv gpv = new RandomGpv(random, layout, count, startNs);
        for (Field field : layout.fields()) {
            String name = field.name();
            if (name.endsWith("_addr")) {
                gpv.with(name, address(random, layout.family(), shape.addresses()));
            } else if (!name.startsWith("#") && random.nextInt(8) > 0) {
                boolean header = field.place() == Field.Place.HEADER;
                long[] values = random.longs(gpv.count(), 0, shape.values()).toArray();
                gpv = header ? gpv.with(name, (Object) values[0]) : gpv.with(name, values);
            }
        }
        return gpv;
    }

    static List<Event> events(RandomGpv gpv, boolean late, int node) {
        List<Event> events = new ArrayList<>();
        for (int p = 0; p < gpv.count(); p++) {
            Map<String, Object> row = new HashMap<>();
            row.put("etype", gpv.layout().family() == 4 ? 0x0800L : 0x86ddL);
            row.put("sampling_rate", 1L);
            row.put("node_id", Symbols.text(node));
            for (Field field : gpv.layout().fields()) {
                boolean header = field.place() == Field.Place.HEADER;
                row.put(
                        field.name(),
                        header ? gpv.header(field.name()) : (Object) gpv.tuple(field.name(), p));
            }
            row.put("ts", gpv.tsNs(p));
            events.add(new Event(row, late));
        }
        return events;
    }
}

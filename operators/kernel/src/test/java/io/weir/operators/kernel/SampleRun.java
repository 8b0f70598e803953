package io.weir.operators.kernel;

import io.weir.operators.function.SamplePackets;
import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Symbols;
import io.weir.operators.interpret.Interpreter;
import io.weir.operators.interpret.Interpreter.Event;
import io.weir.operators.interpret.Interpreter.Output;
import io.weir.operators.kernel.RandomPackets.Sent;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.memory.NativeAllocator;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Runs a query over {@link SamplePackets}: by its kernel, and by the interpreter. */
public final class SampleRun {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
    private static final long SECOND_NS = 1_000_000_000L;
    private static final RowContext CONTEXT =
            new RowContext(0, 0, 0, 1, RowContext.ALWAYS, 0, false);

    private SampleRun() {}

    /** Each packet is a GPV of its own; two pipelines count, where parts can be merged. */
    public static List<List<Object>> byKernel(Query query) {
        List<GpvLayout> layouts =
                GpvLayout.all().stream().filter(l -> l.name().equals("full")).toList();
        CompiledQuery compiled = KernelCompiler.compile(query, layouts);
        boolean merges = Plan.of(query).isMergeable();
        try (NativeAllocator allocator = new NativeAllocator(1L << 30)) {
            KernelRun run = new KernelRun(compiled, allocator, new Random(1), CONTEXT);
            return rows(run.run(sent(), new ActiveInterval(), merges ? 2 : 1, !merges));
        }
    }

    public static List<List<Object>> byInterpreter(Query query) {
        List<Event> events = sent().stream().flatMap(s -> s.events().stream()).toList();
        return rows(new Interpreter(query, CONTEXT).run(events, Long.MIN_VALUE, Long.MAX_VALUE));
    }

    private static List<List<Object>> rows(List<Output> outputs) {
        return outputs.stream().flatMap(output -> output.rows().stream()).toList();
    }

    private static List<Sent> sent() {
        List<Sent> sent = new ArrayList<>();
        for (Map<String, Object> packet : SamplePackets.all()) {
            GpvLayout layout = GpvLayout.of("full", 4).orElseThrow();
            RandomGpv gpv = new RandomGpv(new Random(1), layout, 1, (Long) packet.get("ts"));
            for (Field field : layout.fields()) {
                Object value = packet.getOrDefault(field.name(), 0L);
                if (field.name().startsWith("#")) {
                    continue;
                }
                if (field.place() == Field.Place.HEADER) {
                    gpv.with(field.name(), value);
                } else {
                    gpv.with(field.name(), new long[] {(Long) value});
                }
            }
            int node = Symbols.id("n1");
            sent.add(new Sent(gpv, false, node, RandomPackets.events(gpv, false, node)));
        }
        return sent;
    }

    /** A value as the reference page has it. */
    public static String text(Object value, Kind kind) {
        if (value == null) {
            return "NULL";
        } else if (kind != Kind.TIMESTAMP) {
            return value.toString();
        }
        long ns = (Long) value;
        long rest = Math.floorMod(ns, SECOND_NS);
        String text = TIME.format(Instant.ofEpochSecond(Math.floorDiv(ns, SECOND_NS)));
        return rest == 0 ? text : text + String.format(".%09d", rest).replaceFirst("0+$", "");
    }
}

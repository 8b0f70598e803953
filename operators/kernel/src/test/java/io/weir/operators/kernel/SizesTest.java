package io.weir.operators.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Window;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.window.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A window's table begins as large as the one before had to be, whichever activation had that; one
 * of a budget begins small, since others may need it. Windows are kept until the end, so that no
 * table comes back to be used again.
 */
final class SizesTest {
    private static final GpvLayout LAYOUT = GpvLayout.FULL_V4;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int WINDOWS = 30;
    private static final int MOST_GROUPS = 6_000;
    private static final StateOptions OPTIONS = new StateOptions(1 << 24, 0);

    private final long seed = Long.getLong("weir.seed", 1);
    private final Random random = new Random(seed);
    private final List<Partial> closed = new ArrayList<>();
    private final Sizes sizes = new Sizes();
    private int second;

    private final CompiledQuery query =
            KernelCompiler.compile(
                    TestQueries.groups(
                            LAYOUT,
                            Optional.empty(),
                            Optional.of(Window.tumble(SECOND_NS)),
                            List.of("src_addr"),
                            TestQueries.count("packets")),
                    List.of(LAYOUT));

    private void packet(NativeAllocator memory, QueryState state, int source) {
        RandomGpv gpv =
                new RandomGpv(random, LAYOUT, 1, RandomPackets.START_NS + second * SECOND_NS)
                        .with("src_addr", Inet.v4(source));
        KernelRun.send(memory, state, List.of(new RandomPackets.Sent(gpv, false, 0, List.of())));
    }

    /** A window of so many groups. Returns the bytes of its table after the first, and the last. */
    private long[] window(NativeAllocator memory, QueryState state, int groups) {
        packet(memory, state, 1);
        long first = state.bytes();
        for (int source = 2; source <= groups; source++) {
            packet(memory, state, source);
        }
        long last = state.bytes();
        second++;
        state.advance(RandomPackets.START_NS + second * SECOND_NS);
        state.eachWindow(window -> closed.add(window.groups()));
        return new long[] {first, last};
    }

    private QueryState state(NativeAllocator memory) {
        return query.newState(memory, new ActiveInterval(), OPTIONS, sizes);
    }

    @Test
    void aWindowBeginsAsLargeAsTheOneBeforeHadToBe() {
        try (NativeAllocator memory = new NativeAllocator(1L << 30)) {
            QueryState state = state(memory);
            long smallest = window(memory, state, 1)[0];
            int before = 1;
            for (int w = 0; w < WINDOWS; w++) {
                if (random.nextInt(4) == 0) {
                    state.close();
                    state = state(memory);
                }
                int groups = 1 + random.nextInt(1 + random.nextInt(MOST_GROUPS));
                long[] bytes = window(memory, state, groups);
                String about = "seed " + seed + ": " + before + " groups, " + groups;
                // With 16 bytes an entry, at a load of over 3/16, or over 1/16 where it is near.
                int entries = before + before / 16;
                long load = bytes[0] > 1 << 17 ? 16 / 3 : 16;
                assertTrue(bytes[0] <= smallest + 16 * (load + 1) * entries, about);
                assertTrue(groups > before || bytes[0] == bytes[1], about);
                assertTrue(bytes[0] <= OPTIONS.maxBytes() / 4, about);
                before = groups;
            }
            state.close();
            assertEquals(WINDOWS + 1, closed.size());
            closed.forEach(Partial::close);
        }
    }

    @Test
    void aBudgetIsNotTakenBeforeItIsNeeded() {
        try (NativeAllocator memory = new NativeAllocator(1L << 30)) {
            NativeAllocator budget = memory.reserve(1 << 22);
            try (QueryState state = state(budget)) {
                long smallest = window(memory, state, 1)[0];
                window(memory, state, MOST_GROUPS);
                assertEquals(smallest, window(memory, state, 1)[0]);
            }
            closed.forEach(Partial::close);
            budget.release();
        }
    }
}

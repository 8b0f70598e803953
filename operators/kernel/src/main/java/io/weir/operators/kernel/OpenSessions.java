package io.weir.operators.kernel;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.SessionFolds;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.map.FlatMap;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.window.Tables;
import java.util.List;

/**
 * Joins the groups of windows to sessions. A window is as long as the pause that ends a session. So
 * the packets of a group in one window are of one session, and at most one session of a group ends
 * in a window. A session without room is forgotten. One thread.
 */
final class OpenSessions extends CarriedGroups {
    private static final int FAMILIES = 2;

    private final CompiledQuery code;
    private final GroupMerge merge;
    private final NativeAllocator allocator;
    private final long gapNs;
    private final int first;
    private final int last;
    private final int parts;
    private Partial open;

    OpenSessions(CompiledQuery code, long gapNs, NativeAllocator allocator) {
        super(code.query());
        this.code = code;
        this.gapNs = gapNs;
        this.allocator = allocator;
        merge = code.groupMerge();
        first = offset(SessionFolds.FIRST);
        last = offset(SessionFolds.LAST);
        parts = offset(SessionFolds.PARTS.fold().name());
        open = empty();
    }

    /** Returns the bytes from a group's value to the first word of a fold. */
    private int offset(String fold) {
        Plan plan = code.plan();
        FoldCall call =
                plan.folds().stream()
                        .filter(c -> c.fold().name().equals(fold))
                        .findFirst()
                        .orElseThrow();
        return code.stateLayout().firstWordOf(call) * Long.BYTES;
    }

    private Partial empty() {
        Partial empty = code.newPartial(allocator, maxBytes(code));
        empty.tables();
        return empty;
    }

    @Override
    public List<Partial> of(List<Partial> whole, long endNs, boolean isPartial) {
        Partial next = empty();
        Partial over = empty();
        try {
            for (Partial part : whole) {
                forget(merge.merge(next.tables(), part.tables()));
            }
            for (int t = 0; isPartial && t < FAMILIES; t++) {
                mark(next.tables().table(t));
            }
            for (int t = 0; t < FAMILIES; t++) {
                FlatMap before = open.tables().table(t);
                if (before != null && before.size() > 0) {
                    carry(t, before, next.tables(), over.tables(), endNs);
                }
            }
            for (int t = 0; isPartial && t < FAMILIES; t++) {
                mark(over.tables().table(t));
            }
        } catch (WeirException noMemory) {
            next.close();
            over.close();
            throw noMemory;
        }
        whole.forEach(Partial::close);
        open.close();
        open = next;
        return List.of(over);
    }

    private void mark(FlatMap groups) {
        long entry = groups == null ? 0 : groups.firstEntry();
        for (; entry != 0; entry = groups.nextEntry(entry)) {
            Memory.putLong(entry + groups.keyBytes() + parts, 1);
        }
    }

    /**
     * Takes each open session over to one that goes on, or to those that are over.
     *
     * @param next has the groups of the window that ends
     */
    private void carry(int table, FlatMap before, Tables next, Tables over, long endNs) {
        for (long entry = before.firstEntry(); entry != 0; entry = before.nextEntry(entry)) {
            long value = entry + before.keyBytes();
            long lastNs = Memory.getLong(value + last);
            FlatMap going = next.open(table);
            long mine = going.findAt(entry);
            if (mine == 0) {
                forget(1);
            } else if (going.inserted() && lastNs + gapNs <= endNs) {
                going.remove(mine);
                add(over.open(table), before, entry);
            } else if (going.inserted()) {
                going.remove(mine);
                add(going, before, entry);
            } else if (Memory.getLong(mine + first) - lastNs < gapNs) {
                merge.into(mine, value);
            } else {
                add(over.open(table), before, entry);
            }
        }
    }

    private void add(FlatMap into, FlatMap from, long entry) {
        forget(merge.add(into, from, entry));
    }

    @Override
    public void close() {
        open.close();
    }
}

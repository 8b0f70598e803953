package io.weir.operators.kernel;

import io.weir.operators.map.FlatMap1;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;

/** The one group of a query without keys, which has a row in each window. One thread. */
final class AloneGroup extends CarriedGroups {
    private final CompiledQuery code;
    private final NativeAllocator allocator;

    AloneGroup(CompiledQuery code, NativeAllocator allocator) {
        super(code.query());
        this.code = code;
        this.allocator = allocator;
    }

    @Override
    public List<Partial> of(List<Partial> whole, long endNs, boolean isPartial) {
        if (whole.stream().anyMatch(part -> !part.isEmpty())) {
            return whole;
        }
        Partial alone = whole.isEmpty() ? code.newPartial(allocator, maxBytes(code)) : whole.get(0);
        if (((FlatMap1) alone.tables().open(0)).findAlone(0) == 0) {
            forget(1);
        }
        return whole.isEmpty() ? List.of(alone) : whole;
    }

    @Override
    public void close() {
        // it keeps nothing
    }
}

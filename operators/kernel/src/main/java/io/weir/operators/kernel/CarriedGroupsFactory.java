package io.weir.operators.kernel;

import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowRows;
import io.weir.operators.memory.NativeAllocator;
import java.util.Optional;

/** Makes the {@link CarriedGroups} that a query's windows need. Stateless. */
public final class CarriedGroupsFactory {
    private CarriedGroupsFactory() {}

    /** Makes those of an activation; empty if no group goes over. */
    public static Optional<CarriedGroups> of(CompiledQuery code, NativeAllocator allocator) {
        Optional<Window> window = code.query().aggregate().flatMap(a -> a.window());
        WindowRows rows = window.map(Window::rows).orElse(WindowRows.FILLED);
        return switch (rows.form()) {
            case FILLED -> Optional.empty();
            case ALL -> Optional.of(new AloneGroup(code, allocator));
            case KEPT -> Optional.of(new KeptGroups(code, window.get(), allocator));
            case SESSIONS -> Optional.of(new OpenSessions(code, window.get().sizeNs(), allocator));
        };
    }
}

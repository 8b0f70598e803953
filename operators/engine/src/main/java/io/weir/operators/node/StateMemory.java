package io.weir.operators.node;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.window.Sizes;
import java.util.ArrayList;
import java.util.List;

/** The memory of one query's states: the bound of each, its budget, and learned table sizes. */
final class StateMemory {
    private final EngineContext engine;
    private final Query query;

    /** The parts of the budget for states that are made next. */
    private final List<NativeAllocator> reserved = new ArrayList<>();

    /** The table sizes, by pipeline. */
    private final List<Sizes> sizes = new ArrayList<>();

    StateMemory(EngineContext engine, Query query) {
        this.engine = engine;
        this.query = query;
        engine.pipelines().forEach(pipeline -> sizes.add(new Sizes()));
    }

    /** Returns the bound of one state. */
    long stateBytes() {
        int parts = query.reads().comesAsGpvs() ? engine.pipelines().size() : 1;
        return query.budget()
                .map(budget -> budget.memoryBytes() / parts)
                .orElse(engine.options().mostStateBytes());
    }

    /**
     * Reserves the budget for the states that are made next, unless it is reserved: all of it, or
     * nothing.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY
     */
    void reserve() {
        if (query.budget().isEmpty() || !reserved.isEmpty()) {
            return;
        }
        try {
            for (int p = 0; p < engine.pipelines().size(); p++) {
                reserved.add(engine.states().reserve(stateBytes()));
            }
        } catch (WeirException refused) {
            release();
            throw refused;
        }
    }

    /**
     * Reserves the budget for a state on one more pipeline, the last one.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY
     */
    void reserveWider() {
        if (query.budget().isPresent()) {
            reserved.add(engine.states().reserve(stateBytes()));
        }
    }

    /** Makes room for the sizes of one more pipeline, if there is one. */
    void widen() {
        while (sizes.size() < engine.pipelines().size()) {
            sizes.add(new Sizes());
        }
    }

    /** Gives back the reserved budget that was not used. */
    void release() {
        reserved.forEach(NativeAllocator::release);
        reserved.clear();
    }

    /** Returns the allocator for the next state. */
    NativeAllocator next() {
        return reserved.isEmpty() ? engine.states() : reserved.remove(0);
    }

    /** Returns the sizes that the states on one pipeline learn from one another. */
    Sizes sizes(int pipeline) {
        return sizes.get(pipeline);
    }
}

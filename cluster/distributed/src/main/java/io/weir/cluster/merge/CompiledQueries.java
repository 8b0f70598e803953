package io.weir.cluster.merge;

import io.weir.cluster.kafka.catalog.Definition;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Compiles each version of a query once, for all tasks of an instance. Thread-safe. */
final class CompiledQueries {
    private record Name(String query, long version) {}

    private final List<GpvLayout> layouts;
    private final Map<Name, CompiledQuery> compiled = new ConcurrentHashMap<>();

    CompiledQueries(List<GpvLayout> layouts) {
        this.layouts = layouts;
    }

    CompiledQuery of(Definition definition) {
        Name name = new Name(definition.name(), definition.version());
        return compiled.computeIfAbsent(
                name, n -> KernelCompiler.compile(definition.query(), layouts));
    }

    void forget(String query, long version) {
        compiled.remove(new Name(query, version));
    }
}

package io.weir.cluster.graph;

import io.weir.operators.function.BindingFunctions;
import io.weir.operators.function.FunctionRegistry;
import io.weir.operators.function.TableFunctions;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.sketch.SketchFolds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The functions that a graph can call, by name and kinds. Immutable; any thread. */
final class GraphFunctions {
    private static final Map<Key, Function> ALL = new HashMap<>();

    static {
        Functions.all().forEach(GraphFunctions::add);
        FunctionRegistry.loaded().code().forEach(GraphFunctions::add);
        SketchFolds.functions().forEach(GraphFunctions::add);
    }

    private GraphFunctions() {}

    /**
     * @param result null if it is the kind of the arguments
     */
    private record Key(String name, List<Kind> arguments, Kind result) {}

    private static void add(Function function) {
        Function other = ALL.put(key(function), function);
        if (other != null && !other.equals(function)) {
            throw new IllegalStateException("two functions are " + key(function));
        }
    }

    private static Key key(Function function) {
        return new Key(function.name(), function.arguments(), function.result());
    }

    static Optional<Function> find(String name, List<Kind> arguments, Kind result) {
        Key key = new Key(name, arguments, result);
        return Optional.ofNullable(ALL.get(key))
                .or(() -> FunctionRegistry.loaded().part(name).filter(f -> key(f).equals(key)))
                .or(() -> BindingFunctions.known(name, arguments).filter(f -> key(f).equals(key)))
                .or(() -> TableFunctions.known(name, arguments).filter(f -> key(f).equals(key)));
    }

    /** Returns whether a reader of a graph finds the function. */
    static boolean isKnown(Function function) {
        return find(function.name(), function.arguments(), function.result())
                .filter(function::equals)
                .isPresent();
    }
}

package io.weir.operators.function;

import io.weir.operators.graph.Function;
import java.util.List;
import java.util.Optional;

/**
 * A group of related functions. {@link FunctionRegistry} finds them by {@link
 * java.util.ServiceLoader}. A new function is a change of one file. A new group also needs a line
 * in {@code META-INF/services}.
 */
public interface FunctionLibrary {
    /** Returns the heading on the reference page. */
    String topic();

    /** Returns the functions in the order of the reference page. */
    List<FunctionDef> functions();

    /**
     * Finds a function of the graph by its name, for a stored plan. Functions of {@link
     * FunctionDef#code} need not be found here.
     */
    default Optional<Function> part(String name) {
        return Optional.empty();
    }
}

package io.weir.operators.function;

import java.util.List;

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
}

package io.weir.operators.function;

import java.util.List;

/**
 * Functions that belong together. {@link FunctionRegistry} finds them by {@link
 * java.util.ServiceLoader}: an addition to one is one file, a new one is a line of {@code
 * META-INF/services} besides.
 */
public interface FunctionLibrary {
    /** The heading that they have on the reference page. */
    String topic();

    /** In the order in which people should read of them. */
    List<FunctionDef> functions();
}

package io.weir.operators.graph;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/** The text of a call that generated code makes, of a method that is there. */
public final class Code {
    private Code() {}

    /**
     * A call of a public static method. Throws where the class has none of this name with as many
     * parameters.
     *
     * @param arguments as {@link Function#code} has them
     */
    public static String call(Class<?> owner, String method, String... arguments) {
        boolean known =
                Arrays.stream(owner.getMethods())
                        .filter(m -> m.getName().equals(method))
                        .filter(m -> Modifier.isStatic(m.getModifiers()))
                        .mapToInt(Method::getParameterCount)
                        .anyMatch(count -> count == arguments.length);
        if (!known) {
            String form = owner.getName() + "." + method;
            throw new IllegalArgumentException(
                    "there is no " + form + " of " + arguments.length + " arguments");
        }
        String type = owner.getName().replace('$', '.').replaceFirst("^java\\.lang\\.", "");
        return type + "." + method + "(" + String.join(", ", arguments) + ")";
    }
}

package io.weir.operators.function;

import java.util.List;

/**
 * The parameters of a function, and its meaning.
 *
 * @param more how often the last parameter may be repeated
 */
public record Signature(List<Parameter> parameters, int more, Meaning meaning) {
    public Signature {
        parameters = List.copyOf(parameters);
    }

    /** True if it takes so many arguments. */
    public boolean takes(int arguments) {
        return arguments >= parameters.size() && arguments <= parameters.size() + more;
    }

    /** Returns the parameter at a place, from 0. */
    public Parameter parameter(int index) {
        return parameters.get(Math.min(index, parameters.size() - 1));
    }
}

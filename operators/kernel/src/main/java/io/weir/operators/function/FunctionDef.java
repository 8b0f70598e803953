package io.weir.operators.function;

import io.weir.operators.graph.Function;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A function of SQL. The binder, its hints, SHOW FUNCTIONS, {@code sys.functions}, the console's
 * completion and the reference page all read it here. {@link FunctionBuilder} makes it.
 *
 * @param name in capitals
 * @param otherNames that mean the same
 * @param forms as people write it; SHOW FUNCTIONS has a row for each
 * @param signatures with different numbers of arguments, or tried in their order
 * @param gives the kind of its value, in words
 * @param nulls when its value is NULL, in words
 * @param distinct how an aggregate takes DISTINCT
 * @param examples at least one
 * @param code functions of the graph that it is made of, beside those of {@link
 *     io.weir.operators.graph.Functions}; each is defined for all values of its kinds
 */
public record FunctionDef(
        String name,
        List<String> otherNames,
        Role role,
        List<Form> forms,
        List<Signature> signatures,
        String gives,
        String nulls,
        Distinct distinct,
        List<Example> examples,
        List<Function> code) {

    public FunctionDef {
        otherNames = List.copyOf(otherNames);
        forms = List.copyOf(forms);
        signatures = List.copyOf(signatures);
        examples = List.copyOf(examples);
        code = List.copyOf(code);
    }

    /** Returns its forms, for a hint. */
    public String form() {
        return String.join(", ", forms.stream().map(Form::text).toList());
    }

    /** Returns its meaning, if that is of this type for all of its signatures. */
    public <T extends Meaning> Optional<T> meaning(Class<T> type) {
        return signatures.stream().allMatch(s -> type.isInstance(s.meaning()))
                ? Optional.of(type.cast(signatures.get(0).meaning()))
                : Optional.empty();
    }

    /** True if it counts whole rows when its argument is {@code *}. */
    public boolean takesRows() {
        return role.isAggregate() && signatures.stream().anyMatch(s -> s.parameters().isEmpty());
    }

    /**
     * Returns the numbers of arguments that it takes, in words: {@code 2}, {@code 2 or 3}, {@code 1
     * to 8}.
     */
    public String counts() {
        List<Signature> counted =
                signatures.stream().filter(s -> !s.parameters().isEmpty()).toList();
        int least = counted.stream().mapToInt(s -> s.parameters().size()).min().orElse(0);
        int most = counted.stream().mapToInt(s -> s.parameters().size() + s.more()).max().orElse(0);
        boolean each =
                IntStream.rangeClosed(least, most)
                        .allMatch(n -> signatures.stream().anyMatch(s -> s.takes(n)));
        if (least == most) {
            return Integer.toString(least);
        }
        return least + (each && most - least > 1 ? " to " : " or ") + most;
    }
}

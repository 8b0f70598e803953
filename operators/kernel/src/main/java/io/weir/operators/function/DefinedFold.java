package io.weir.operators.function;

import io.weir.operators.graph.Fold;
import java.util.List;

/** Aggregates whose folds users have defined. Stateless. */
public final class DefinedFold {
    private DefinedFold() {}

    /** Makes the aggregate of a fold. It is called by the fold's name. */
    public static FunctionDef of(Fold fold) {
        List<Parameter> parameters =
                fold.arguments().stream()
                        .map(one -> Parameter.of(one.name(), one.type().kind()))
                        .toList();
        String named = String.join(", ", parameters.stream().map(Parameter::name).toList());
        String form = fold.name() + "(" + (parameters.isEmpty() ? "*" : named) + ")";
        return FunctionBuilder.of(fold.name(), fold.ordered() ? Role.ORDERED : Role.AGGREGATE)
                .form(form, "an aggregate of the catalogue")
                .gives(fold.result().type().kind())
                .group(
                        (arguments, facts) -> new Meaning.Folding(fold, arguments),
                        parameters.toArray(Parameter[]::new))
                .build();
    }
}

package io.weir.operators.function;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import java.util.ArrayList;
import java.util.List;

/** Makes a {@link FunctionDef}, with one line for each fact. */
final class FunctionBuilder {
    private final String name;
    private final Role role;
    private final List<String> otherNames = new ArrayList<>();
    private final List<Form> forms = new ArrayList<>();
    private final List<Signature> signatures = new ArrayList<>();
    private final List<Example> examples = new ArrayList<>();
    private final List<Function> code = new ArrayList<>();
    private String gives = "";
    private String nulls;
    private Distinct distinct = Distinct.REFUSED;

    private FunctionBuilder(String name, Role role) {
        this.name = name;
        this.role = role;
        nulls = role.isAggregate() ? "when no row has a value" : "when an argument is";
    }

    static FunctionBuilder of(String name) {
        return new FunctionBuilder(name, Role.SCALAR);
    }

    static FunctionBuilder of(String name, Role role) {
        return new FunctionBuilder(name, role);
    }

    FunctionBuilder alsoCalled(String other) {
        otherNames.add(other);
        return this;
    }

    FunctionBuilder form(String text, String about) {
        forms.add(new Form(text, about));
        return this;
    }

    FunctionBuilder gives(Kind kind) {
        return gives(kind.name());
    }

    FunctionBuilder gives(String kind) {
        gives = kind;
        return this;
    }

    FunctionBuilder nulls(String when) {
        nulls = when;
        return this;
    }

    FunctionBuilder distinct(Distinct taken) {
        distinct = taken;
        return this;
    }

    FunctionBuilder example(String sql, String value) {
        return example(sql, "", value);
    }

    FunctionBuilder example(String sql, String rest, String value) {
        examples.add(new Example(sql, rest, value));
        return this;
    }

    FunctionBuilder code(Function... functions) {
        code.addAll(List.of(functions));
        return this;
    }

    /** Adds a signature that makes a value of one row. */
    FunctionBuilder row(Meaning.OfRow maker, Parameter... parameters) {
        signatures.add(new Signature(List.of(parameters), 0, new Meaning.Row(maker)));
        return this;
    }

    /** Adds a signature that makes a value of a group. */
    FunctionBuilder group(Meaning.OfGroup maker, Parameter... parameters) {
        return group(0, maker, parameters);
    }

    /** Adds the same with a last parameter that may be repeated so often. */
    FunctionBuilder group(int more, Meaning.OfGroup maker, Parameter... parameters) {
        signatures.add(new Signature(List.of(parameters), more, new Meaning.Group(maker)));
        return this;
    }

    /** Adds a signature of whole rows: its argument is {@code *}. */
    FunctionBuilder rows(Meaning.OfGroup maker) {
        return group(maker);
    }

    /** Adds a value of one row that is made of SQL's operators. */
    FunctionBuilder form(int more, Meaning.OfTerms maker, Parameter... parameters) {
        return of(more, new Meaning.Form(maker), parameters);
    }

    /** Adds a signature whose last parameter may be repeated so often. */
    FunctionBuilder of(int more, Meaning meaning, Parameter... parameters) {
        signatures.add(new Signature(List.of(parameters), more, meaning));
        return this;
    }

    /** Adds the graph's functions of this name, with the kinds that fit. */
    FunctionBuilder calls(String function, Parameter... parameters) {
        return row(arguments -> named(function, arguments), parameters);
    }

    /** Adds this function, with names for its arguments. */
    FunctionBuilder calls(Function function, String... names) {
        List<Parameter> parameters = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            parameters.add(Parameter.of(names[i], function.arguments().get(i)));
        }
        code.add(function);
        gives(function.result());
        return row(a -> Functions.call(function, a), parameters.toArray(Parameter[]::new));
    }

    private static Expr named(String function, List<Expr> arguments) {
        return Functions.call(function, arguments.toArray(Expr[]::new));
    }

    FunctionDef build() {
        return new FunctionDef(
                name, otherNames, role, forms, signatures, gives, nulls, distinct, examples, code);
    }
}

package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.BadArgument;
import io.weir.operators.function.Facts;
import io.weir.operators.function.FunctionDef;
import io.weir.operators.function.FunctionRegistry;
import io.weir.operators.function.Meaning;
import io.weir.operators.function.Parameter;
import io.weir.operators.function.Role;
import io.weir.operators.function.Signature;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Kind;
import io.weir.sql.grammar.WeirOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;

/** Binds calls of functions by what the registry says of their signatures and arguments. */
final class Calls {
    /** A call whose arguments have the kinds of the signature's parameters. */
    record Bound(Signature signature, List<Expr> arguments) {}

    private final Binding binding;
    private final Conversions conversions;

    Calls(Binding binding, Conversions conversions) {
        this.binding = binding;
        this.conversions = conversions;
    }

    /** Finds the definition of the called function. */
    static Optional<FunctionDef> def(SqlCall call) {
        if (call.getOperator() instanceof DefinedFunction defined) {
            return Optional.of(defined.def());
        }
        boolean zone = WeirOperators.AT_TIME_ZONE.equals(call.getOperator());
        String name = zone ? "LOCAL_TIME" : call.getOperator().getName();
        return FunctionRegistry.loaded().find(name);
    }

    /** Returns the definition of a function that is there. */
    static FunctionDef named(String name) {
        return FunctionRegistry.loaded().find(name).orElseThrow();
    }

    static String formOf(FunctionDef def) {
        return "its form is " + def.form();
    }

    /** Returns the value of a function of one row. */
    Expr row(SqlCall call, FunctionDef def, List<Operand> operands) {
        Bound bound = bind(call, def, operands);
        Meaning.Row meaning = (Meaning.Row) bound.signature().meaning();
        Expr made = made(def, operands, () -> meaning.maker().make(bound.arguments()));
        return binding.counted(call, made);
    }

    /** Returns the fold of an aggregate. */
    Meaning.Folding group(SqlCall call, FunctionDef def, List<Operand> operands, Facts facts) {
        Bound bound = bind(call, def, operands);
        Meaning.Group meaning = (Meaning.Group) bound.signature().meaning();
        Meaning.Folding made =
                made(def, operands, () -> meaning.maker().make(bound.arguments(), facts));
        made.arguments().stream()
                .limit(bound.arguments().size())
                .forEach(argument -> binding.counted(call, argument));
        return made;
    }

    private <T> T made(FunctionDef def, List<Operand> operands, Supplier<T> maker) {
        try {
            return maker.get();
        } catch (BadArgument bad) {
            String hint = bad.hint() == null ? formOf(def) : bad.hint();
            SqlNode at = operands.get(bad.index()).node();
            throw binding.error(bad.code(), at, bad.getMessage(), hint);
        }
    }

    /** Throws where no signature fits. */
    Bound bind(SqlCall call, FunctionDef def, List<Operand> operands) {
        List<Signature> signatures =
                def.signatures().stream().filter(s -> s.takes(operands.size())).toList();
        if (signatures.isEmpty()) {
            throw wrongCount(call, def, operands.size());
        }
        Signature signature =
                signatures.stream()
                        .filter(s -> fits(s, operands))
                        .findFirst()
                        .orElse(signatures.get(0));
        List<Expr> arguments = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            arguments.add(argument(def, signature.parameter(i), i, operands.get(i)));
        }
        return new Bound(signature, arguments);
    }

    private boolean fits(Signature signature, List<Operand> operands) {
        for (int i = 0; i < operands.size(); i++) {
            List<Kind> kinds = signature.parameter(i).kinds();
            Operand operand = operands.get(i);
            if (!kinds.contains(operand.kind()) && !conversions.fits(operand, kinds.get(0))) {
                return false;
            }
        }
        return true;
    }

    /** Throws where no signature has so many parameters. */
    void checkCount(SqlCall call, FunctionDef def, int given) {
        if (def.signatures().stream().noneMatch(s -> s.takes(given))) {
            throw wrongCount(call, def, given);
        }
    }

    private WeirException wrongCount(SqlCall call, FunctionDef def, int given) {
        String wrong =
                def.role().isAggregate()
                        ? " takes " + (def.counts().equals("1") ? "one" : def.counts())
                        : " does not take " + given;
        String noun = wrong.endsWith(" one") || wrong.endsWith(" 1") ? " argument" : " arguments";
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        return binding.error(ErrorCode.INVALID_QUERY, call, name + wrong + noun, formOf(def));
    }

    private Expr argument(FunctionDef def, Parameter parameter, int index, Operand operand) {
        if (parameter.constant().filter(Parameter.Constant::required).isPresent()) {
            return constant(def, parameter, operand);
        }
        Expr value = converted(def, parameter, index, operand);
        if (value instanceof Literal literal && literal.value() != null) {
            parameter.constant().ifPresent(rule -> check(def, rule, literal, operand));
        }
        return value;
    }

    private Expr converted(FunctionDef def, Parameter parameter, int index, Operand operand) {
        List<Kind> kinds = parameter.kinds();
        if (kinds.size() > 1 && kinds.contains(operand.kind())) {
            return operand.expr();
        }
        boolean converts = kinds.size() == 1 || operand.isNull();
        return (converts ? conversions.convert(operand, kinds.get(0)) : Optional.<Expr>empty())
                .orElseThrow(() -> mismatch(def, parameter, index, operand));
    }

    private Expr constant(FunctionDef def, Parameter parameter, Operand operand) {
        Parameter.Constant rule = parameter.constant().orElseThrow();
        Expr written = binding.constant(operand.node(), operand.expr(), rule.sample());
        Operand known = new Operand(written, operand.node());
        Kind kind = parameter.kinds().get(0);
        Expr value =
                conversions
                        .convert(known, kind)
                        .orElseThrow(() -> broken(def, rule, ErrorCode.TYPE_MISMATCH, operand));
        if (!(value instanceof Literal literal) || literal.value() == null) {
            throw broken(def, rule, ErrorCode.INVALID_QUERY, operand);
        }
        check(def, rule, literal, operand);
        return value;
    }

    private void check(FunctionDef def, Parameter.Constant rule, Literal value, Operand operand) {
        if (!rule.holds().test(value.value())) {
            throw broken(def, rule, ErrorCode.INVALID_QUERY, operand);
        }
    }

    private WeirException broken(
            FunctionDef def, Parameter.Constant rule, ErrorCode code, Operand operand) {
        String hint = rule.hint() == null ? formOf(def) : rule.hint();
        return binding.error(code, operand.node(), rule.rule(), hint);
    }

    private WeirException mismatch(
            FunctionDef def, Parameter parameter, int index, Operand operand) {
        String name = def.name();
        if (def.role() == Role.SCALAR) {
            String message = name + " takes " + parameter.wanted() + ", not " + operand.kindName();
            return binding.mismatch(operand.node(), message, formOf(def));
        } else if (index > 0) {
            String message = name + " needs " + parameter.wanted() + " here";
            return binding.mismatch(operand.node(), message, formOf(def));
        }
        return binding.mismatch(
                operand.node(),
                name + " is not defined for " + operand.kind(),
                parameter.hints().get(operand.kind()));
    }
}

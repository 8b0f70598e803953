package io.weir.operators.function;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Code;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.sketch.SketchFolds;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every function says all that there is to say of it, and calls what is there. */
class FunctionRegistryTest {
    private static final Pattern CALL =
            Pattern.compile("((?:[a-z]\\w*\\.)*[A-Z]\\w*)\\.(\\w+)\\(([^()]*)\\)");

    private static final Facts NOTHING_KNOWN =
            new Facts(false, false, new Magnitude(column -> Long.SIZE));

    private static final List<FunctionDef> ALL = FunctionRegistry.loaded().all();

    @Test
    void everyFunctionHasItsWords() {
        assertTrue(ALL.size() > 50);
        for (FunctionDef def : ALL) {
            assertFalse(def.forms().isEmpty(), def.name());
            assertFalse(def.signatures().isEmpty(), def.name());
            assertFalse(def.gives().isEmpty(), def.name());
            assertFalse(def.nulls().isEmpty(), def.name());
            assertFalse(def.examples().isEmpty(), def.name());
            assertTrue(def.forms().get(0).text().startsWith(def.name() + "("), def.name());
        }
    }

    @Test
    void namesAreFoundInAnyCaseAndByTheirOthers() {
        FunctionRegistry registry = FunctionRegistry.loaded();
        for (FunctionDef def : ALL) {
            assertEquals(def, registry.find(def.name().toLowerCase()).orElseThrow());
            def.otherNames().forEach(n -> assertEquals(def, registry.find(n).orElseThrow()));
        }
        assertTrue(registry.find("NONE").isEmpty());
    }

    @Test
    void oneNameIsOneFunction() {
        FunctionLibrary library = new BitLibrary();
        assertThrows(
                IllegalArgumentException.class,
                () -> new FunctionRegistry(List.of(library, new BitLibrary())));
    }

    @Test
    void countsAreInWords() {
        FunctionRegistry registry = FunctionRegistry.loaded();
        assertEquals("2", registry.find("BITAND").orElseThrow().counts());
        assertEquals("1 or 2", registry.find("ROUND").orElseThrow().counts());
        assertEquals("2 or 3", registry.find("PREFIX").orElseThrow().counts());
        assertEquals("1 to 8", registry.find("COUNT").orElseThrow().counts());
    }

    /** A kernel's text names classes and methods; a name that is not there fails here. */
    @Test
    void codeCallsMethodsThatAreThere() throws ClassNotFoundException {
        int calls = 0;
        for (Function function : functions()) {
            Matcher matcher = CALL.matcher(function.code());
            while (matcher.find()) {
                String owner = matcher.group(1);
                Class<?> type =
                        Class.forName(owner.indexOf('.') < 0 ? "java.lang." + owner : owner);
                String[] arguments = matcher.group(3).split(", ");
                assertDoesNotThrow(
                        () -> Code.call(type, matcher.group(2), arguments), function.name());
                calls++;
            }
        }
        assertTrue(calls > 40, "calls: " + calls);
    }

    @Test
    void aCallOfNoMethodIsRefused() {
        assertThrows(
                IllegalArgumentException.class, () -> Code.call(Math.class, "squareRoot", "$0"));
        assertThrows(
                IllegalArgumentException.class, () -> Code.call(Math.class, "sqrt", "$0", "$1"));
    }

    private static Set<Function> functions() {
        Set<Function> functions = new LinkedHashSet<>(Functions.all());
        functions.addAll(FunctionRegistry.loaded().code());
        functions.add(AddressLibrary.IN_SUBNET);
        for (Kind kind : Kind.values()) {
            Expr value = new Literal(null, new io.weir.operators.graph.Type(kind, true));
            collect(SketchFolds.hashOf(List.of(value)), functions);
            if (kind != Kind.DOUBLE) {
                collect(SketchFolds.top(kind, 1), functions);
                collect(SketchFolds.topCount(kind, 1), functions);
            }
        }
        collect(SketchFolds.distinct(), functions);
        collect(SketchFolds.quantile(0.5), functions);
        for (FunctionDef def : ALL) {
            for (Signature signature : def.signatures()) {
                boolean plain = def.role() == Role.AGGREGATE && signature.parameters().size() == 1;
                if (plain && signature.meaning() instanceof Meaning.Group group) {
                    for (Kind kind : signature.parameter(0).kinds()) {
                        List<Expr> arguments = List.of(Literal.nullOf(kind));
                        collect(group.maker().make(arguments, NOTHING_KNOWN).fold(), functions);
                    }
                }
            }
        }
        return functions;
    }

    private static void collect(Fold fold, Set<Function> functions) {
        List<Expr> all = new ArrayList<>();
        fold.update().forEach(assignment -> all.add(assignment.value()));
        fold.merge().forEach(assignment -> all.add(assignment.value()));
        all.add(fold.result());
        all.forEach(expr -> collect(expr, functions));
    }

    private static void collect(Expr expr, Set<Function> functions) {
        if (expr instanceof Expr.Call call) {
            functions.add(call.function());
            call.arguments().forEach(argument -> collect(argument, functions));
        }
    }
}

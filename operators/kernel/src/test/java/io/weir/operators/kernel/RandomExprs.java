package io.weir.operators.kernel;

import io.weir.operators.function.AddressLibrary;
import io.weir.operators.function.FunctionRegistry;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Random expressions of a wanted kind over given columns, nullable and deep ones among them. */
final class RandomExprs {
    private static final List<Kind> KINDS = List.of(Kind.values());
    private static final Kind[] COMPARED = {
        Kind.BIGINT, Kind.BIGINT, Kind.INET, Kind.DOUBLE, Kind.TIMESTAMP, Kind.BOOLEAN, Kind.VARCHAR
    };

    /** Nodes of the packets, patterns of LIKE, and a letter of two units. */
    private static final List<String> TEXTS =
            List.of("node0", "node1", "node2", "", "%e_", " N%_", "e", "o\uD83D\uDE00d");

    private final Random random;
    private final List<Expr.Variable> columns;

    RandomExprs(Random random, List<Expr.Variable> columns) {
        this.random = random;
        this.columns = columns;
    }

    Expr any(int depth) {
        return of(KINDS.get(random.nextInt(KINDS.size())), depth);
    }

    Expr of(Kind kind, int depth) {
        if (depth <= 0 || random.nextInt(3) == 0) {
            return leaf(kind);
        }
        return switch (random.nextInt(4)) {
            case 0 -> choice(kind, depth);
            default -> kind == Kind.BOOLEAN ? condition(depth) : function(kind, depth);
        };
    }

    /** A column of the kind, or an expression when there is none. */
    Expr leaf(Kind kind) {
        List<Expr.Variable> fitting =
                columns.stream().filter(c -> c.type().kind() == kind).toList();
        if (fitting.isEmpty() || random.nextInt(4) == 0) {
            return literal(kind);
        }
        return fitting.get(random.nextInt(fitting.size()));
    }

    Literal literal(Kind kind) {
        if (random.nextInt(12) == 0) {
            return Literal.nullOf(kind);
        }
        Object value =
                switch (kind) {
                    case BOOLEAN -> random.nextBoolean();
                    case DOUBLE -> (random.nextInt(9) - 2) / 2.0;
                    case INET -> RandomPackets.address(random, random.nextBoolean() ? 4 : 6);
                    case VARCHAR -> TEXTS.get(random.nextInt(TEXTS.size()));
                    case TIMESTAMP -> RandomPackets.START_NS + random.nextInt(3) * 1_000_000_000L;
                    case BIGINT, INTERVAL -> whole();
                    default -> (long) random.nextInt(7) - 1;
                };
        return new Literal(value, new Type(kind, false));
    }

    /** Sometimes one that is near the ends of 64 bits. */
    private long whole() {
        long small = random.nextInt(7) - 1L;
        long end = random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
        return random.nextInt(5) > 0 ? small : end >> random.nextInt(3) * 16 ^ small & 3;
    }

    private Expr choice(Kind kind, int depth) {
        List<Expr> parts = new ArrayList<>();
        for (int i = random.nextInt(2); i >= 0; i--) {
            parts.add(of(Kind.BOOLEAN, depth - 1));
            parts.add(of(kind, depth - 1));
        }
        parts.add(random.nextInt(3) == 0 ? Literal.nullOf(kind) : of(kind, depth - 1));
        return Functions.call(Functions.CASE, parts);
    }

    Expr condition(int depth) {
        return switch (random.nextInt(6)) {
            case 0 -> logic(Functions.AND, depth);
            case 1 -> logic(Functions.OR, depth);
            case 2 -> Functions.call(Functions.NOT, List.of(of(Kind.BOOLEAN, depth - 1)));
            case 3 -> Functions.call(Functions.IS_NULL, List.of(of(compared(), depth - 1)));
            case 4 -> subnet(depth);
            default -> comparison(depth);
        };
    }

    private Kind compared() {
        return COMPARED[random.nextInt(COMPARED.length)];
    }

    private Expr logic(Function function, int depth) {
        List<Expr> parts = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            parts.add(of(Kind.BOOLEAN, depth - 1));
        }
        return Functions.call(function, parts);
    }

    private Expr subnet(int depth) {
        Inet network = RandomPackets.address(random, random.nextBoolean() ? 4 : 6);
        int prefix = random.nextInt(network.family() == 4 ? 33 : 129);
        return Functions.call(
                AddressLibrary.IN_SUBNET,
                List.of(
                        of(Kind.INET, depth - 1),
                        new Literal(network, Type.INET),
                        Literal.of((long) prefix)));
    }

    private Expr comparison(int depth) {
        Kind kind = compared();
        boolean ordered = kind != Kind.BOOLEAN;
        String[] names = {"=", "<>", "<", "<=", ">", ">="};
        String name = names[random.nextInt(ordered ? names.length : 2)];
        return Functions.call(name, of(kind, depth - 1), of(kind, depth - 1));
    }

    private Expr function(Kind kind, int depth) {
        List<Function> fitting =
                Stream.concat(Functions.all().stream(), FunctionRegistry.loaded().code().stream())
                        .filter(f -> f.result() == kind && !f.arguments().isEmpty())
                        .toList();
        if (fitting.isEmpty()) {
            return leaf(kind);
        }
        Function function = fitting.get(random.nextInt(fitting.size()));
        List<Expr> arguments = new ArrayList<>();
        function.arguments().forEach(argument -> arguments.add(of(argument, depth - 1)));
        return Functions.call(function, arguments);
    }

    /** A sum of such values is exact in any order, and no NaN is among them. */
    Expr exactReal(int depth) {
        Expr whole = leaf(Kind.BIGINT);
        Expr bounded = Functions.call("bitand", whole, Literal.of(0xFFFL));
        Expr real = Functions.call("to_double", bounded);
        if (random.nextBoolean()) {
            return real;
        }
        List<Expr> parts = List.of(of(Kind.BOOLEAN, depth), real, Literal.nullOf(Kind.DOUBLE));
        return Functions.call(Functions.CASE, parts);
    }
}

package io.weir.operators.kernel;

import io.weir.operators.function.Facts;
import io.weir.operators.function.FunctionRegistry;
import io.weir.operators.function.Magnitude;
import io.weir.operators.function.Meaning;
import io.weir.operators.function.Parameter;
import io.weir.operators.function.Role;
import io.weir.operators.function.Signature;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.Filter;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Project;
import io.weir.operators.graph.Operator.Scan;
import io.weir.operators.graph.Operator.Sort;
import io.weir.operators.graph.OrderedFolds;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Type;
import io.weir.operators.graph.When;
import io.weir.operators.graph.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Random queries over a scan. */
final class RandomQueries {
    private static final Window[] WINDOWS = {
        Window.tumble(1_000_000_000L),
        Window.tumble(300_000_000L),
        new Window(3_000_000_000L, 1_000_000_000L),
        new Window(1_000_000_000L, 1_000_000_000L, 250_000_001L),
        new Window(3_000_000_000L, 1_000_000_000L, -300_000_000L),
        new Window(1_000_000_000L, 400_000_000L)
    };

    private final Random random;
    private final Scan scan;
    private final RandomExprs exprs;

    RandomQueries(Random random, Scan scan) {
        this.random = random;
        this.scan = scan;
        exprs = new RandomExprs(random, scan.columns());
    }

    /** A query with or without aggregates, window, HAVING, ORDER BY, LIMIT, WHEN. */
    Query next() {
        Operator input = scan;
        if (random.nextInt(3) > 0) {
            input = new Filter(input, match().orElseGet(() -> exprs.condition(2)));
        }
        boolean groups = random.nextInt(6) > 0;
        Operator root = groups ? groups(input) : rows(input);
        Optional<When> when = Optional.empty();
        if (random.nextInt(4) == 0) {
            Expr condition = Literal.of(true);
            when = Optional.of(new When("other", condition, Optional.empty(), Optional.empty()));
        }
        return new Query("q", root, when, "");
    }

    private Operator rows(Operator input) {
        Operator root = new Project(input, outputs(exprs, scan.columns()));
        if (random.nextInt(3) == 0) {
            Optional<Long> limit = Optional.of((long) random.nextInt(9));
            return new Sort(root, List.of(), limit, random.nextInt(3));
        }
        return root;
    }

    private Operator groups(Operator input) {
        Optional<Window> window = Optional.empty();
        if (random.nextInt(3) > 0) {
            window = Optional.of(WINDOWS[random.nextInt(WINDOWS.length)]);
        }
        boolean ordered = isOrdered(window);
        List<Named> keys = ordered ? fiveTuple() : keys();
        List<FoldCall> folds = folds(window.isPresent() || !keys.isEmpty());
        if (ordered) {
            folds.add(ordered());
        }
        Aggregate aggregate = new Aggregate(input, window, keys, folds, Set.of());
        RandomExprs over = new RandomExprs(random, aggregate.columns());
        Operator kept = aggregate;
        if (random.nextInt(3) == 0) {
            kept = new Filter(aggregate, over.condition(2));
        }
        if (random.nextInt(4) == 0) {
            return new RandomOver(random).over(kept, window.isPresent());
        }
        Project project = new Project(kept, outputs(over, aggregate.columns()));
        return random.nextInt(3) == 0 ? sorted(project) : project;
    }

    private boolean isOrdered(Optional<Window> window) {
        boolean hop = window.filter(w -> w.panesPerWindow() > 1).isPresent();
        boolean flows = scan.columns().stream().anyMatch(c -> c.name().equals("src_port"));
        return !hop && flows && scan.type().comesAsGpvs() && random.nextInt(8) == 0;
    }

    private List<Named> fiveTuple() {
        List<Named> keys = new ArrayList<>();
        for (String name : List.of("src_addr", "dst_addr", "src_port", "dst_port", "proto")) {
            scan.columns().stream()
                    .filter(c -> c.name().equals(name))
                    .forEach(c -> keys.add(new Named(name, c)));
        }
        return keys;
    }

    /** A fold to which order matters; a call that skips NULLs among them. */
    private FoldCall ordered() {
        Kind kind = List.of(Kind.BIGINT, Kind.TIMESTAMP).get(random.nextInt(2));
        Expr whole = exprs.of(Kind.BIGINT, 1);
        Expr[] values = {whole, random.nextBoolean() ? inFourBytes() : exprs.of(Kind.BIGINT, 1)};
        return switch (random.nextInt(8)) {
            case 0 -> ordered(OrderedFolds.first(kind), orLarge(kind));
            case 1 -> ordered(OrderedFolds.last(kind), orLarge(kind));
            case 2 -> ordered(OrderedFolds.nonMonotonic(), whole);
            case 3 -> ordered(OrderedFolds.outOfSequence(), values);
            case 4 ->
                    ordered(
                            OrderedFolds.gaps(),
                            exprs.leaf(Kind.TIMESTAMP),
                            new Literal(random.nextLong(20_000_000L), Type.INTERVAL));
            case 5, 6 -> ofUsers("in_order", new RandomFolds(random).ordered());
            default -> ordered(OrderedFolds.ewma(), exprs.exactReal(1), Literal.of(0.5));
        };
    }

    private Expr orLarge(Kind kind) {
        boolean leaf = kind != Kind.BIGINT || random.nextBoolean();
        return leaf ? exprs.leaf(kind) : inFourBytes();
    }

    /** What comes near 2^32, and may be kept in four bytes; by some of the columns. */
    private Expr inFourBytes() {
        Expr sum = Functions.call("+", exprs.leaf(Kind.BIGINT), exprs.leaf(Kind.BIGINT));
        Expr part = Functions.call("/", sum, Literal.of(1L + random.nextInt(2)));
        Expr most = Literal.of((1L << 32) - random.nextInt(2));
        return switch (random.nextInt(4)) {
            case 0 -> Functions.call("%", sum, most);
            case 1 -> Functions.call("bitand", part, most);
            case 2 ->
                    Functions.call(
                            "CASE",
                            exprs.condition(1),
                            Functions.call("%", part, most),
                            Literal.of(7L));
            default -> Functions.call("%", Functions.call("-", exprs.leaf(Kind.BIGINT), sum), most);
        };
    }

    private FoldCall ordered(Fold fold, Expr... arguments) {
        return new FoldCall("in_order", fold, List.of(arguments), false, filter());
    }

    /** Packets' own, so few that they are slots; with one of all packets of a GPV, at times. */
    private List<Named> fewKeys() {
        List<Named> few = new ArrayList<>();
        for (String name : List.of("bytes", "tcp_flags", "ip_ttl", "ip_tos", "icmp_type")) {
            scan.columns().stream()
                    .filter(c -> c.name().equals(name))
                    .forEach(c -> few.add(new Named(name, c)));
        }
        if (few.isEmpty()) {
            return few;
        }
        List<Named> keys = new ArrayList<>(List.of(few.get(random.nextInt(few.size()))));
        if (random.nextInt(3) == 0) {
            keys.add(new Named("k", exprs.of(Kind.BOOLEAN, 1)));
        }
        return keys;
    }

    private List<Named> keys() {
        List<Named> keys = random.nextInt(8) == 0 ? fewKeys() : new ArrayList<>();
        if (!keys.isEmpty()) {
            return keys;
        }
        int count = random.nextInt(4);
        for (int k = 0; k < count; k++) {
            boolean column = random.nextInt(3) > 0;
            Expr key =
                    column
                            ? scan.columns().get(random.nextInt(scan.columns().size()))
                            : exprs.any(2);
            keys.add(new Named("k" + k, key));
        }
        return keys;
    }

    private List<FoldCall> folds(boolean grouped) {
        List<FoldCall> folds = new ArrayList<>();
        int count = random.nextInt(4);
        for (int f = 0; f < count; f++) {
            folds.add(fold("f" + f, grouped));
        }
        return folds;
    }

    private FoldCall fold(String name, boolean grouped) {
        Expr whole = exprs.of(Kind.BIGINT, 2);
        Expr real = exprs.exactReal(1);
        Expr argument = random.nextBoolean() ? whole : real;
        Kind kind = argument.type().kind();
        Optional<Expr> filter = filter();
        boolean some = grouped && filter.isEmpty() && !argument.type().nullable();
        Expr any = exprs.any(1);
        return switch (random.nextInt(12)) {
            case 0 -> new FoldCall(name, Folds.count(), List.of(), false, filter);
            case 1 -> call(name, Folds.avg(kind), argument, filter);
            case 2 -> call(name, Folds.min(kind), argument, filter);
            case 3 -> call(name, Folds.max(kind), argument, filter);
            case 4 -> distinct(name, filter);
            case 5 -> call(name, some ? Folds.sumOfSome(kind) : Folds.sum(kind), argument, filter);
            case 6 -> sumOfWide(name, whole, filter);
            case 7 -> ofRegistry(name, whole, grouped, filter);
            case 8 -> ofTwo(name, grouped, filter);
            case 9, 10 -> ofUsers(name, new RandomFolds(random).merged());
            default -> call(name, Folds.count(any.type().kind()), any, filter);
        };
    }

    /** Any aggregate of two values that the registry has. */
    private FoldCall ofTwo(String name, boolean grouped, Optional<Expr> filter) {
        List<Signature> signatures =
                FunctionRegistry.loaded().all().stream()
                        .filter(def -> def.role() == Role.AGGREGATE)
                        .flatMap(def -> def.signatures().stream())
                        .filter(s -> s.parameters().size() == 2)
                        .toList();
        Signature signature = signatures.get(random.nextInt(signatures.size()));
        List<Expr> arguments = new ArrayList<>();
        for (Parameter parameter : signature.parameters()) {
            Kind kind = parameter.kinds().get(random.nextInt(parameter.kinds().size()));
            arguments.add(kind == Kind.DOUBLE ? exprs.exactReal(1) : exprs.of(kind, 1));
        }
        Facts facts = new Facts(grouped && filter.isEmpty(), false, new Magnitude(c -> Long.SIZE));
        Meaning.Folding folding =
                ((Meaning.Group) signature.meaning()).maker().make(arguments, facts);
        return new FoldCall(name, folding.fold(), folding.arguments(), false, filter);
    }

    /** Any aggregate of one integer that the registry has. */
    private FoldCall ofRegistry(String name, Expr whole, boolean grouped, Optional<Expr> filter) {
        List<Meaning.Group> groups =
                FunctionRegistry.loaded().all().stream()
                        .filter(def -> def.role() == Role.AGGREGATE)
                        .flatMap(def -> def.signatures().stream())
                        .filter(s -> s.takes(1))
                        .filter(s -> s.parameter(0).kinds().contains(Kind.BIGINT))
                        .filter(s -> s.meaning() instanceof Meaning.Group)
                        .map(s -> (Meaning.Group) s.meaning())
                        .toList();
        Magnitude magnitude = new Magnitude(column -> Long.SIZE);
        Facts facts = new Facts(grouped && filter.isEmpty(), false, magnitude);
        Meaning.Folding folding =
                groups.get(random.nextInt(groups.size())).maker().make(List.of(whole), facts);
        return new FoldCall(name, folding.fold(), folding.arguments(), false, filter);
    }

    private FoldCall sumOfWide(String name, Expr whole, Optional<Expr> filter) {
        Expr large =
                Functions.call(
                        "*", whole, Expr.Literal.of(random.nextLong() >> random.nextInt(40)));
        if (random.nextBoolean()) {
            return call(name, Folds.sumOfWide(Kind.BIGINT), large, filter);
        }
        Expr[] parts = ((Expr.Call) large).arguments().toArray(Expr[]::new);
        Expr wraps = Functions.call("to_bigint", Functions.call("times_overflows", parts));
        Fold fold = Folds.sumOfWrapping(Kind.BIGINT);
        return new FoldCall(name, fold, List.of(large, wraps), false, filter);
    }

    private Optional<Expr> filter() {
        return random.nextInt(4) == 0
                ? match().or(() -> Optional.of(exprs.condition(1)))
                : Optional.empty();
    }

    /** Sometimes, and where packets have flags: one that some of them have. */
    private Optional<Expr> match() {
        Optional<Expr.Variable> flags =
                scan.columns().stream().filter(c -> c.name().equals("tcp_flags")).findFirst();
        if (flags.isEmpty() || random.nextInt(3) > 0) {
            return Optional.empty();
        }
        long mask = random.nextInt(64);
        long value = random.nextInt(64) & (random.nextInt(8) > 0 ? mask : -1);
        Expr bits = Functions.call("bitand", flags.get(), Literal.of(mask));
        Expr some = random.nextInt(4) > 0 ? bits : flags.get();
        return Optional.of(Functions.call("=", some, Literal.of(value)));
    }

    private static FoldCall call(String name, Fold fold, Expr argument, Optional<Expr> filter) {
        return new FoldCall(name, fold, List.of(argument), false, filter);
    }

    /** A call of a fold as users define them. */
    private FoldCall ofUsers(String name, Fold fold) {
        List<Expr> arguments =
                fold.arguments().stream().map(a -> exprs.of(a.type().kind(), 1)).toList();
        return new FoldCall(name, fold, arguments, false, filter());
    }

    private FoldCall distinct(String name, Optional<Expr> filter) {
        List<Expr> arguments = new ArrayList<>();
        for (int i = random.nextInt(2); i >= 0; i--) {
            arguments.add(random.nextBoolean() ? exprs.leaf(Kind.INET) : exprs.any(1));
        }
        Kind[] kinds = arguments.stream().map(a -> a.type().kind()).toArray(Kind[]::new);
        return new FoldCall(name, Folds.count(kinds), arguments, true, filter);
    }

    private List<Named> outputs(RandomExprs over, List<Expr.Variable> columns) {
        List<Named> outputs = new ArrayList<>();
        int count = 1 + random.nextInt(5);
        for (int o = 0; o < count; o++) {
            boolean column = random.nextInt(3) > 0;
            Expr output = column ? columns.get(random.nextInt(columns.size())) : over.any(2);
            outputs.add(new Named("c" + o, output));
        }
        return outputs;
    }

    private Operator sorted(Project project) {
        List<Operator.Order> orders = new ArrayList<>();
        for (Named output : project.outputs()) {
            if (random.nextBoolean()) {
                orders.add(
                        new Operator.Order(
                                output.name(), random.nextBoolean(), random.nextBoolean()));
            }
        }
        Optional<Long> limit =
                random.nextBoolean() ? Optional.of((long) random.nextInt(4)) : Optional.empty();
        return new Sort(project, orders, limit, random.nextInt(3) == 0 ? 1 : 0);
    }
}

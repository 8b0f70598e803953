package io.weir.operators.kernel;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Filter;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Order;
import io.weir.operators.graph.Operator.Over;
import io.weir.operators.graph.Operator.OverCall;
import io.weir.operators.graph.Operator.Project;
import io.weir.operators.graph.Operator.Sort;
import io.weir.operators.graph.OverFrame;
import io.weir.operators.graph.OverFunction;
import io.weir.operators.graph.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Random columns of OVER above the groups of a query, with QUALIFY, ORDER BY and LIMIT. */
final class RandomOver {
    private static final List<OverFunction> FUNCTIONS =
            List.of(
                    OverFunction.ROW_NUMBER,
                    OverFunction.RANK,
                    OverFunction.DENSE_RANK,
                    OverFunction.LEAD,
                    OverFunction.LAG,
                    OverFunction.LAG,
                    OverFunction.FIRST_VALUE,
                    OverFunction.LAST_VALUE,
                    OverFunction.COUNT,
                    OverFunction.SUM,
                    OverFunction.AVG,
                    OverFunction.MIN,
                    OverFunction.MAX);

    private final Random random;

    RandomOver(Random random) {
        this.random = random;
    }

    /**
     * @param windows whether the groups are of windows, so that earlier ones can be read
     */
    Operator over(Operator groups, boolean windows) {
        List<Named> passed = new ArrayList<>();
        groups.columns().stream()
                .filter(column -> !column.name().equals("undercount"))
                .forEach(column -> passed.add(new Named(column.name(), column)));
        Project below = new Project(groups, passed);
        List<OverCall> calls = new ArrayList<>();
        for (int c = 0; c <= random.nextInt(4); c++) {
            calls.add(call("over" + c, below.columns(), windows && random.nextBoolean()));
        }
        Over over = new Over(below, "", calls);
        Operator kept = over;
        if (random.nextInt(3) == 0) {
            kept = new Filter(over, qualify(calls.get(0)));
        }
        List<Named> shown = new ArrayList<>();
        over.columns().forEach(column -> shown.add(new Named(column.name(), column)));
        Operator project = new Project(kept, shown);
        return random.nextInt(3) == 0
                ? new Sort(project, orders(over.columns()), Optional.of(5L), random.nextInt(2))
                : project;
    }

    private static Expr qualify(OverCall call) {
        return call.type().kind() == Kind.BIGINT
                ? Functions.call("<=", call.column(), Literal.of(3L))
                : Functions.call("IS NULL", call.column());
    }

    private OverCall call(String name, List<Expr.Variable> columns, boolean history) {
        OverFunction function = FUNCTIONS.get(random.nextInt(FUNCTIONS.size()));
        boolean past = history && !function.isRank() && function != OverFunction.LEAD;
        List<String> partition = new ArrayList<>();
        for (int p = random.nextInt(3); p > 0; p--) {
            partition.add(columns.get(random.nextInt(columns.size())).name());
        }
        List<Expr> arguments = arguments(function, columns);
        Type type = type(function, arguments);
        List<Order> orders = past ? List.of() : orders(columns);
        return new OverCall(
                name, function, arguments, partition, orders, frame(function, past), past, type);
    }

    private List<Expr> arguments(OverFunction function, List<Expr.Variable> columns) {
        List<Expr> arguments = new ArrayList<>();
        List<Expr.Variable> fit =
                columns.stream().filter(column -> takes(function, column.type().kind())).toList();
        boolean rows = function.isRank() || function == OverFunction.COUNT && random.nextBoolean();
        if (!rows) {
            Expr.Variable value = fit.get(random.nextInt(fit.size()));
            arguments.add(value);
            if (function.isShift()) {
                arguments.add(Literal.of((long) random.nextInt(4)));
                if (random.nextBoolean()) {
                    List<Expr.Variable> alike =
                            columns.stream()
                                    .filter(c -> c.type().kind() == value.type().kind())
                                    .toList();
                    arguments.add(alike.get(random.nextInt(alike.size())));
                }
            }
        }
        return arguments;
    }

    private static boolean takes(OverFunction function, Kind kind) {
        return switch (function) {
            case SUM, AVG -> kind == Kind.BIGINT;
            case MIN, MAX -> kind == Kind.BIGINT || kind == Kind.TIMESTAMP || kind == Kind.DOUBLE;
            default -> true;
        };
    }

    private static Type type(OverFunction function, List<Expr> arguments) {
        return switch (function) {
            case ROW_NUMBER, RANK, DENSE_RANK, COUNT -> Type.BIGINT;
            case AVG -> Type.DOUBLE.orNull();
            default -> arguments.get(0).type().orNull();
        };
    }

    private OverFrame frame(OverFunction function, boolean past) {
        if (function.isRank() || function.isShift()) {
            return OverFrame.WHOLE;
        }
        long from = -random.nextInt(4);
        long to = past ? Math.min(0, from + random.nextInt(4)) : from + random.nextInt(6);
        if (past) {
            return new OverFrame(from, to, false);
        }
        return switch (random.nextInt(5)) {
            case 0 -> OverFrame.WHOLE;
            case 1 -> OverFrame.UP_TO_PEERS;
            case 2 -> new OverFrame(OverFrame.FIRST, to, false);
            case 3 -> new OverFrame(from, OverFrame.LAST, false);
            default -> new OverFrame(from, to, false);
        };
    }

    private List<Order> orders(List<Expr.Variable> columns) {
        List<Order> orders = new ArrayList<>();
        List<Expr.Variable> fit =
                columns.stream().filter(c -> c.type().kind() != Kind.BOOLEAN).toList();
        for (int o = random.nextInt(3); o > 0; o--) {
            String column = fit.get(random.nextInt(fit.size())).name();
            if (orders.stream().noneMatch(order -> order.column().equals(column))) {
                orders.add(new Order(column, random.nextBoolean(), random.nextBoolean()));
            }
        }
        return orders;
    }
}

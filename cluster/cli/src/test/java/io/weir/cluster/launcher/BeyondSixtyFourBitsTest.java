package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.node.PcapFile;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole numbers that leave 64 bits are NULL, in the kernels that count packets, in rows of groups
 * and in queries over rows: random expressions over extreme values, against {@link BigInteger}.
 */
class BeyondSixtyFourBitsTest {
    private static final int ROUNDS = 6;
    private static final int EXPRESSIONS = 24;
    private static final int PACKETS = 3;
    private static final int BYTES = 100;

    private final long seed = Long.getLong("weir.seed", 64);
    private final Random random = new Random(seed);

    @TempDir private Path folder;
    private Path capture;

    /** An expression and its value; null where it, or a part of it, is NULL. */
    private record Tree(String text, BigInteger value) {}

    @BeforeEach
    void write() {
        PcapFile file = new PcapFile();
        for (int i = 0; i < PACKETS; i++) {
            file.udp(i, 0x0a000001, 0x0a000002, 53 + i, BYTES);
        }
        capture = file.write(folder.resolve("three.pcap"));
    }

    /**
     * @param column of 64 bits, or less
     */
    private Tree tree(int depth, Tree column) {
        if (depth == 0 || random.nextInt(6) == 0) {
            return random.nextInt(3) == 0 ? column : literal();
        }
        Tree a = tree(depth - 1, column);
        Tree b = tree(depth - 1, column);
        return switch (random.nextInt(7)) {
            case 0 -> infix("+", a, b, BigInteger::add);
            case 1 -> infix("-", a, b, BigInteger::subtract);
            case 2, 3 -> infix("*", a, b, BigInteger::multiply);
            case 4 -> infix("/", a, b, (x, y) -> y.signum() == 0 ? null : x.divide(y));
            case 5 -> of("(- " + a.text() + ")", a, BigInteger.ZERO.subtract(or0(a)));
            default -> of("ABS(" + a.text() + ")", a, or0(a).abs());
        };
    }

    private static BigInteger or0(Tree tree) {
        return tree.value() == null ? BigInteger.ZERO : tree.value();
    }

    private static Tree of(String text, Tree operand, BigInteger value) {
        return new Tree(text, operand.value() == null ? null : within(value));
    }

    private static BigInteger within(BigInteger value) {
        return value == null || value.bitLength() >= Long.SIZE ? null : value;
    }

    private static Tree infix(String operator, Tree a, Tree b, BinaryOperator<BigInteger> meaning) {
        boolean known = a.value() != null && b.value() != null;
        BigInteger value = known ? within(meaning.apply(a.value(), b.value())) : null;
        return new Tree("(" + a.text() + " " + operator + " " + b.text() + ")", value);
    }

    private Tree literal() {
        long end = random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
        long value = random.nextInt(3) > 0 ? end >> random.nextInt(40) : random.nextInt(5) - 2L;
        String text = value < 0 ? "(" + value + ")" : Long.toString(value);
        return new Tree(text, BigInteger.valueOf(value));
    }

    private List<Tree> trees(String column, long value) {
        List<Tree> trees = new ArrayList<>();
        for (int e = 0; e < EXPRESSIONS; e++) {
            trees.add(tree(3, new Tree(column, BigInteger.valueOf(value))));
        }
        return trees;
    }

    /** The first row of a SELECT of them. */
    private void check(List<Tree> trees, String from) {
        List<String> items = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (Tree tree : trees) {
            items.add(tree.text() + " AS c" + items.size());
            values.add(tree.value() == null ? "" : tree.value().toString());
        }
        String sql = "SELECT " + String.join(", ", items) + " " + from;
        assertEquals(String.join(",", values), run(sql), "-Dweir.seed=" + seed + ": " + sql);
    }

    /** The first row. */
    private String run(String sql) {
        Cli.Result result =
                Cli.run("run", "--pcap", capture.toString(), "-e", sql, "--format", "csv");
        assertEquals(0, result.code(), result.err());
        return result.out().lines().skip(1).findFirst().orElse("none");
    }

    @Test
    void valuesOfPacketsAndOfGroups() {
        for (int round = 0; round < ROUNDS; round++) {
            check(trees("bytes", BYTES), "FROM packets LIMIT 1");
            check(trees("COUNT(*)", PACKETS), "FROM packets");
            check(trees("SUM(bytes)", (long) PACKETS * BYTES), "FROM packets");
        }
    }

    @Test
    void conditionsThatAreNullAreNotTrue() {
        String beyond = "9223372036854775807 + bytes";
        assertEquals("0", run("SELECT COUNT(*) AS n FROM packets WHERE " + beyond + " < 0"));
        assertEquals("3", run("SELECT COUNT(*) AS n FROM packets WHERE (" + beyond + ") IS NULL"));
        String having = "SELECT COUNT(*) AS n FROM packets HAVING SUM(bytes) * 92233720368547758 ";
        assertEquals("none", run(having + "< 0"));
        assertEquals("none", run(having + "> 0"));
    }

    /** A sum is NULL where a value is beyond; the others pass over it, as over any NULL. */
    @Test
    void aggregatesOfValuesThatAreBeyond() {
        String value = "9223372036854775807 - dst_port + 54"; // beyond for 53
        String sql = "SELECT MAX(v) AS a, MIN(v) AS b, COUNT(v) AS c, SUM(v) AS d FROM packets";
        assertEquals(
                "9223372036854775807,9223372036854775806,2,", run(sql.replace("v)", value + ")")));
    }
}

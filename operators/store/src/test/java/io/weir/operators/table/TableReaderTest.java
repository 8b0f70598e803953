package io.weir.operators.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.TableSchema;
import io.weir.operators.graph.TableSchema.Match;
import io.weir.operators.graph.Type;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.table.TableBuilder.DuplicateKey;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Lookups find the row that a search of all rows finds. */
class TableReaderTest {
    private static final long SEED = Long.getLong("weir.seed", 1);

    private static final TableSchema PREFIXES =
            new TableSchema(
                    List.of(
                            Variable.column("net", Type.INET),
                            Variable.column("net_length", Type.BIGINT),
                            Variable.column("number", Type.BIGINT.orNull())),
                    List.of(0, 1),
                    Match.PREFIX);

    private static final TableSchema PAIRS =
            new TableSchema(
                    List.of(
                            Variable.column("number", Type.BIGINT.orNull()),
                            Variable.column("port", Type.BIGINT),
                            Variable.column("addr", Type.INET)),
                    List.of(2, 1),
                    Match.EQUAL);

    /** Few bits differ, so that prefixes lie in each other. */
    private static Inet address(Random random, int family) {
        long bits = random.nextInt(4) == 0 ? random.nextLong() : 0;
        long few = 1L << random.nextInt(64);
        few |= 1L << random.nextInt(64);
        return family == 4
                ? Inet.v4((int) (0x0A0000F0 ^ few ^ bits))
                : Inet.v6(0x2001_0DB8_0000_0000L ^ bits, few ^ 1L << random.nextInt(64));
    }

    private static Inet masked(Inet address, int bits) {
        if (address.family() == 4) {
            return Inet.v4(bits == 0 ? 0 : (int) (address.low() & -1L << 32 - bits));
        }
        long high = bits == 0 ? 0 : bits >= 64 ? -1L : -1L << 64 - bits;
        long low = bits <= 64 ? 0 : -1L << 128 - bits;
        return Inet.v6(address.high() & high, address.low() & low);
    }

    private static StoredTable prefixes(Random random, NativeAllocator allocator, int rows)
            throws DuplicateKey {
        try (TableBuilder builder = new TableBuilder(allocator, PREFIXES)) {
            Set<String> known = new HashSet<>();
            for (long n = 1; n <= rows; n++) {
                int family = random.nextInt(3) == 0 ? 6 : 4;
                int most = family == 4 ? 32 : 128;
                int bits = random.nextInt(8) == 0 ? most : random.nextInt(most + 1);
                Inet network = masked(address(random, family), bits);
                if (known.add(network + "/" + bits)) {
                    builder.add(network, (long) bits, n);
                }
            }
            return new StoredTable("t", PREFIXES, builder.build("", 0));
        }
    }

    @Test
    void theLongestPrefixIsFound() throws DuplicateKey {
        for (long seed = SEED; seed < SEED + 60; seed++) {
            Random random = new Random(seed);
            try (NativeAllocator allocator = new NativeAllocator(1L << 30);
                    StoredTable table = prefixes(random, allocator, random.nextInt(300));
                    TableReader reader = new TableReader(table, allocator)) {
                for (int i = 0; i < 300; i++) {
                    Inet asked = address(random, random.nextInt(3) == 0 ? 6 : 4);
                    long row = reader.prefix(asked.family(), asked.high(), asked.low());
                    Object number = table.value(table.scan(asked), 2);
                    String about = asked + " -Dweir.seed=" + seed;
                    assertEquals(number == null ? 0L : number, number(row, 2), about);
                }
            }
        }
    }

    private static long number(long row, int column) {
        return TableRows.word(row, PREFIXES.word(column));
    }

    @Test
    void keysOfSeveralColumnsAreFound() throws DuplicateKey {
        Random random = new Random(SEED);
        try (NativeAllocator allocator = new NativeAllocator(1L << 30)) {
            TableBuilder builder = new TableBuilder(allocator, PAIRS);
            Set<String> known = new HashSet<>();
            for (long n = 1; n <= 2_000; n++) {
                Inet addr = address(random, random.nextBoolean() ? 6 : 4);
                long port = random.nextInt(3);
                if (known.add(addr + " " + port)) {
                    builder.add(n, port, addr);
                }
            }
            try (StoredTable table = new StoredTable("t", PAIRS, builder.build("", 0));
                    TableReader reader = new TableReader(table, allocator)) {
                for (int i = 0; i < 2_000; i++) {
                    Inet addr = address(random, random.nextBoolean() ? 6 : 4);
                    long port = random.nextInt(3);
                    long row =
                            reader.key(addr.family())
                                    .and(addr.high())
                                    .and(addr.low())
                                    .and(port)
                                    .find();
                    Object number = table.value(table.scan(addr, port), 0);
                    long found = TableRows.word(row, PAIRS.word(0));
                    assertEquals(number == null ? 0L : number, found, "-Dweir.seed=" + SEED);
                }
            }
        }
    }

    @Test
    void equalRowsCountOnceAndEqualKeysAreRefused() throws DuplicateKey {
        try (NativeAllocator allocator = new NativeAllocator(1L << 20);
                TableBuilder builder = new TableBuilder(allocator, PAIRS)) {
            Inet addr = Inet.v4(7);
            builder.add(1L, 2L, addr);
            builder.add(null, 3L, addr);
            builder.add(1L, 2L, addr);
            builder.add(9L, 3L, addr);
            DuplicateKey twice = assertThrows(DuplicateKey.class, () -> builder.build("", 0));
            assertEquals("1 3", twice.first() + " " + twice.second());
        }
        try (NativeAllocator allocator = new NativeAllocator(1L << 20)) {
            TableBuilder builder = new TableBuilder(allocator, PAIRS);
            builder.add(1L, 2L, Inet.v4(7));
            builder.add(1L, 2L, Inet.v4(7));
            try (StoredTable table = new StoredTable("t", PAIRS, builder.build("", 0))) {
                assertEquals(1, table.content().count());
            }
        }
    }

    /** A state that reads an old content keeps it until it follows. */
    @Test
    void aNewContentIsTakenBetweenTwoBlocks() throws DuplicateKey {
        try (NativeAllocator allocator = new NativeAllocator(1L << 20)) {
            StoredTable table = new StoredTable("t", PAIRS, one(allocator, 1));
            try (TableReader reader = new TableReader(table, allocator)) {
                table.replace(one(allocator, 2));
                assertEquals(1, number(reader));
                reader.follow();
                assertEquals(2, number(reader));
                table.close();
                assertEquals(2, number(reader));
            }
            assertEquals(0, allocator.usedBytes());
        }
    }

    private static long number(TableReader reader) {
        long row = reader.key(4).and(0).and(7).and(2).find();
        return Memory.getLong(row + (long) PAIRS.word(0) * Long.BYTES);
    }

    private static TableSnapshot one(NativeAllocator allocator, long number) throws DuplicateKey {
        try (TableBuilder builder = new TableBuilder(allocator, PAIRS)) {
            builder.add(number, 2L, Inet.v4(7));
            return builder.build("", 0);
        }
    }
}

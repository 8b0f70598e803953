package io.weir.cluster.table;

import io.weir.operators.graph.Inet;
import io.weir.operators.graph.InetText;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.MacText;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;

/** Reads a cell of a CSV file as a value. Stateless. */
final class Cell {
    private Cell() {}

    /** A network: an address and the length of its prefix. Other bits of the address are 0. */
    record Prefix(Inet network, int bits) {
        static Prefix of(Inet address, int bits) {
            if (address.family() == 4) {
                long low = bits == 0 ? 0 : address.low() & -1L << 32 - bits;
                return new Prefix(new Inet(4, 0, low & 0xFFFF_FFFFL), bits);
            }
            long high = bits == 0 ? 0 : bits >= 64 ? -1L : -1L << 64 - bits;
            long low = bits <= 64 ? 0 : -1L << 128 - bits;
            return new Prefix(Inet.v6(address.high() & high, address.low() & low), bits);
        }
    }

    /** Returns a prefix, also of an address alone; empty if it is none. */
    static Optional<Prefix> prefix(String cell) {
        int slash = cell.indexOf('/');
        Optional<Inet> address = InetText.parse(slash < 0 ? cell : cell.substring(0, slash));
        if (address.isEmpty()) {
            return Optional.empty();
        }
        int most = address.get().family() == 4 ? 32 : 128;
        if (slash < 0) {
            return Optional.of(Prefix.of(address.get(), most));
        }
        String bits = cell.substring(slash + 1);
        return bits.matches("[0-9]{1,3}") && Integer.parseInt(bits) <= most
                ? Optional.of(Prefix.of(address.get(), Integer.parseInt(bits)))
                : Optional.empty();
    }

    /** Returns the boxed value; empty if the cell has another form. */
    static Optional<?> value(String cell, Kind kind) {
        return switch (kind) {
            case INET -> InetText.parse(cell);
            case MACADDR -> MacText.parse(cell);
            case BOOLEAN -> truth(cell);
            case BIGINT -> whole(cell);
            case DOUBLE -> real(cell);
            case TIMESTAMP -> time(cell);
            case VARCHAR -> Optional.of(cell);
            case INTERVAL -> Optional.empty();
        };
    }

    private static Optional<Boolean> truth(String cell) {
        return switch (cell.toLowerCase(Locale.ROOT)) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    private static Optional<Long> whole(String cell) {
        try {
            return Optional.of(Long.valueOf(cell));
        } catch (NumberFormatException other) {
            return Optional.empty();
        }
    }

    private static Optional<Double> real(String cell) {
        boolean number = cell.matches("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]{1,3})?");
        return number ? Optional.of(Double.valueOf(cell)) : Optional.empty();
    }

    private static Optional<Long> time(String cell) {
        try {
            LocalDateTime at =
                    cell.length() <= 10
                            ? LocalDate.parse(cell).atStartOfDay()
                            : LocalDateTime.parse(cell.replace(' ', 'T').replaceFirst("Z$", ""));
            Instant instant = at.toInstant(ZoneOffset.UTC);
            long secondNs = Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L);
            return Optional.of(Math.addExact(secondNs, instant.getNano()));
        } catch (DateTimeParseException | ArithmeticException other) {
            return Optional.empty();
        }
    }

    /** Returns the kind's name for an error. */
    static String called(Kind kind, boolean prefix) {
        return switch (kind) {
            case INET -> prefix ? "a prefix, as 10.0.0.0/8" : "an address";
            case MACADDR -> "a MAC address";
            case BOOLEAN -> "true or false";
            case BIGINT -> "a whole number";
            case DOUBLE -> "a number";
            case TIMESTAMP -> "a time, as 2026-11-20 13:45:00";
            default -> "a text";
        };
    }
}

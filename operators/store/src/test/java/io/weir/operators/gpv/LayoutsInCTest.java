package io.weir.operators.gpv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The layouts that gather.c and tuples.h know are those of {@link GpvLayout}. */
class LayoutsInCTest {
    private static final Path NATIVE = Path.of("src/main/native");

    /** A layout in C: its name, and bytes of a tuple, of the header, and up to the count. */
    private static final Pattern OF_LAYOUT =
            Pattern.compile("(?m)^OF_LAYOUT\\((\\w+), (\\d+), (\\d+), (\\d+)\\)$");

    private static final Pattern IN_ORDER = Pattern.compile("of_layout\\[] = \\{([\\w, ]+)};");

    private static String source(String file) throws IOException {
        return Files.readString(NATIVE.resolve(file));
    }

    private static String inC(GpvLayout layout) {
        return layout.name() + "_v" + layout.family();
    }

    private static Field field(GpvLayout layout, String name) {
        return layout.field(name).orElseThrow();
    }

    @Test
    void sizesAndPlacesAreTheSame() throws IOException {
        List<String> expected = new ArrayList<>();
        for (GpvLayout layout : GpvLayout.all()) {
            int countAt = field(layout, GpvLayout.COUNT).offset();
            expected.add(
                    List.of(inC(layout), layout.tupleBytes(), layout.headerBytes(), countAt)
                            .toString());
        }
        List<String> found =
                OF_LAYOUT
                        .matcher(source("gather.c"))
                        .results()
                        .map(m -> List.of(m.group(1), m.group(2), m.group(3), m.group(4)))
                        .map(List::toString)
                        .toList();
        assertEquals(expected, found);
    }

    @Test
    void theTableOfLoopsIsInTheOrderOfIds() throws IOException {
        String found =
                IN_ORDER.matcher(source("gather.c"))
                        .results()
                        .findFirst()
                        .map(m -> m.group(1))
                        .orElseThrow();
        assertEquals(
                GpvLayout.all().stream().map(LayoutsInCTest::inC).collect(Collectors.joining(", ")),
                found);
    }

    /** C finds the start two bytes after the count, and the byte order by the size of a tuple. */
    @Test
    void startAndByteOrderAreWhatCTakesThemFor() throws IOException {
        int little = number("is_little\\(Layout l\\) \\{ return l.tuple == (\\d+)");
        for (GpvLayout layout : GpvLayout.all()) {
            Field count = field(layout, GpvLayout.COUNT);
            assertEquals(count.offset() + 2, field(layout, GpvLayout.START).offset(), inC(layout));
            assertEquals(
                    layout.order() == ByteOrder.LITTLE_ENDIAN,
                    layout.tupleBytes() == little,
                    inC(layout));
        }
    }

    /** Layouts of the paper have a delta of 20 bits, in microseconds, in their first word. */
    @Test
    void deltasAreWhatCTakesThemFor() throws IOException {
        int shift = number("__builtin_bswap32\\(first\\) >> (\\d+)\\) \\* \\d+");
        int unit = number("__builtin_bswap32\\(first\\) >> \\d+\\) \\* (\\d+)");
        for (GpvLayout layout : GpvLayout.all()) {
            Field delta = field(layout, GpvLayout.DELTA);
            assertEquals(0, delta.offset(), inC(layout));
            if (layout.order() == ByteOrder.BIG_ENDIAN) {
                assertEquals(shift, 32 - delta.bits(), inC(layout));
                assertEquals(unit, layout.deltaUnitNs(), inC(layout));
            } else {
                assertEquals(32, delta.bits(), inC(layout));
                assertEquals(1, layout.deltaUnitNs(), inC(layout));
            }
        }
    }

    private static int number(String pattern) throws IOException {
        return Pattern.compile(pattern)
                .matcher(source("tuples.h"))
                .results()
                .map((MatchResult m) -> Integer.parseInt(m.group(1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("tuples.h has no " + pattern));
    }
}

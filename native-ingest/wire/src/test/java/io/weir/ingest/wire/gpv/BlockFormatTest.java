package io.weir.ingest.wire.gpv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.wire.gpv.WireBlock.WireField;
import io.weir.operators.gpv.GpvLayout;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The documents, C and Java describe the same datagram. */
class BlockFormatTest {
    static final Path HOUSE = house();

    private static Path house() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("docs/GPV.md"))) {
            at = at.getParent();
        }
        return at;
    }

    private static List<MatchResult> found(String file, String regex) throws IOException {
        String text = Files.readString(HOUSE.resolve(file));
        return Pattern.compile(regex).matcher(text).results().toList();
    }

    @Test
    void theTableOfTheDocumentsIsTheHeader() throws IOException {
        List<WireField> table = new ArrayList<>();
        for (MatchResult row :
                found("docs/GPV.md", "(?m)^\\| (\\w+) \\| (\\d+) \\| (\\d+) \\| .* \\|$")) {
            table.add(
                    new WireField(
                            row.group(1),
                            Integer.parseInt(row.group(2)),
                            Integer.parseInt(row.group(3))));
        }
        assertEquals(WireBlock.FIELDS, table);
        int end = 0;
        for (WireField field : WireBlock.FIELDS) {
            assertEquals(end, field.offset(), field.name());
            end += field.bytes();
        }
        assertEquals(WireBlock.HEADER_BYTES, end);
    }

    @Test
    void cHasTheSamePlaces() throws IOException {
        String file = "native-ingest/wire/src/main/c/gpv/block.h";
        List<String> places = new ArrayList<>();
        for (MatchResult place : found(file, "GPV_AT_(\\w+) = (\\d+),")) {
            places.add(place.group(1).toLowerCase(java.util.Locale.ROOT) + " " + place.group(2));
        }
        assertEquals(
                WireBlock.FIELDS.stream().map(f -> f.name() + " " + f.offset()).toList(), places);
        List<String> layouts = new ArrayList<>();
        for (MatchResult layout :
                found(file, "\\{(\\d+), (\\d+), (\\d+), (\\d+), (\\d+), (\\d)\\}")) {
            layouts.add(layout.group().replaceAll("[{}]", ""));
        }
        assertEquals(GpvLayout.all().stream().map(BlockFormatTest::inC).toList(), layouts);
    }

    private static String inC(GpvLayout layout) {
        int countAt = layout.field(GpvLayout.COUNT).orElseThrow().offset();
        assertEquals(countAt + 2, layout.field(GpvLayout.START).orElseThrow().offset());
        return layout.headerBytes()
                + ", "
                + layout.tupleBytes()
                + ", "
                + countAt
                + ", "
                + layout.field(GpvLayout.DELTA).orElseThrow().shift()
                + ", "
                + layout.deltaUnitNs()
                + ", "
                + (layout.order() == ByteOrder.BIG_ENDIAN ? 1 : 0);
    }

    @Test
    void faultsHaveCsOrder() throws IOException {
        List<MatchResult> names =
                found("native-ingest/wire/src/main/c/gpv/block.h", "(?m)^    (GPV_\\w+),$");
        assertEquals("GPV_SOUND", names.get(0).group(1));
        assertEquals(WireFault.ALL.length, names.size());
        assertTrue(names.get(names.size() - 1).group(1).endsWith("TOO_LONG"));
    }
}

package io.weir.ingest.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureFileTest {
    @TempDir Path folder;

    private record Seen(long tsNs, int linkType, int interfaceIndex, long wireLen, String bytes) {}

    private static List<Seen> read(CaptureFile file) {
        List<Seen> seen = new ArrayList<>();
        while (file.next()) {
            StringBuilder bytes = new StringBuilder();
            for (int i = 0; i < file.capLen(); i++) {
                bytes.append((char) Memory.getByte(file.address() + i));
            }
            seen.add(
                    new Seen(
                            file.tsNs(),
                            file.linkType(),
                            file.interfaceIndex(),
                            file.wireLen(),
                            bytes.toString()));
        }
        return seen;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private List<Seen> read(CaptureBytes bytes, Ending ending) {
        try (CaptureFile file = Captures.open(bytes.in(folder, "capture"))) {
            List<Seen> seen = read(file);
            assertEquals(ending, file.ending());
            assertEquals(seen.size(), file.packets());
            assertEquals(ending != Ending.WHOLE, !file.notes().isEmpty());
            return seen;
        }
    }

    /** So that the leak check after each test sees a capture that was not closed. */
    @Test
    void whatIsInMemoryIsCounted() {
        long before = NativeAllocator.usedByAllBytes(MemoryTag.FILE);
        CaptureBytes capture = new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
        Path path = capture.pcap(CaptureBytes.MICROSECONDS, 96, 1).in(folder, "capture");
        try (CaptureFile file = Captures.open(path)) {
            assertEquals(List.of(), read(file));
            long held = NativeAllocator.usedByAllBytes(MemoryTag.FILE) - before;
            assertEquals(path.toFile().length(), held);
        }
        assertEquals(before, NativeAllocator.usedByAllBytes(MemoryTag.FILE));
    }

    @Test
    void readsPcapInBothByteOrdersAndResolutions() {
        for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
            CaptureBytes micro = new CaptureBytes(order).pcap(CaptureBytes.MICROSECONDS, 96, 101);
            micro.record(3, 5, bytes("ab"), 60).record(0xFFFF_FFFFL, 6, bytes(""), 1);
            assertEquals(
                    List.of(
                            new Seen(3_000_005_000L, 101, 0, 60, "ab"),
                            new Seen(4_294_967_295_000_006_000L, 101, 0, 1, "")),
                    read(micro, Ending.WHOLE));
            CaptureBytes nano = new CaptureBytes(order).pcap(CaptureBytes.NANOSECONDS, 96, 1);
            assertEquals(
                    List.of(new Seen(3_000_000_005L, 1, 0, 2, "ab")),
                    read(nano.record(3, 5, bytes("ab"), 2), Ending.WHOLE));
        }
    }

    @Test
    void readsPcapngWithSectionsOfEitherByteOrder() {
        CaptureBytes capture = new CaptureBytes(ByteOrder.LITTLE_ENDIAN).section();
        capture.networkInterface(1, 6, 0).networkInterface(113, 9, 10);
        capture.enhanced(0, 1_000_001, bytes("one"), 100);
        capture.block(0x0BAD, capture.body().ints(1, 2, 3));
        capture.enhanced(1, 1_000_000_001, bytes("four"), 4);
        CaptureBytes other = new CaptureBytes(ByteOrder.BIG_ENDIAN).section();
        other.networkInterface(101, 0x80 | 10, -1).enhanced(0, 2048 + 512, bytes("x"), 1);
        other.block(3, other.body().ints(5).raw(bytes("simpl")));
        other.block(2, other.body().shorts(0, 7).ints(0, 3072, 2, 9).raw(bytes("ob")));
        capture.raw(other.array());
        assertEquals(
                List.of(
                        new Seen(1_000_001_000L, 1, 0, 100, "one"),
                        new Seen(11_000_000_001L, 113, 1, 4, "four"),
                        new Seen(1_500_000_000L, 101, 0, 1, "x"),
                        new Seen(1_500_000_000L, 101, 0, 5, "simpl"),
                        new Seen(2_000_000_000L, 101, 0, 9, "ob")),
                read(capture, Ending.WHOLE));
    }

    @Test
    void yieldsWhatIsWholeOfAFileThatIsCut() throws IOException {
        CaptureBytes pcap = new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
        pcap.pcap(CaptureBytes.MICROSECONDS, 96, 1).record(1, 0, bytes("abcd"), 4);
        int first = pcap.array().length;
        byte[] whole = pcap.record(2, 0, bytes("efgh"), 4).array();
        for (int length = first; length <= whole.length; length++) {
            Path path = folder.resolve("cut");
            Files.write(path, Arrays.copyOf(whole, length));
            try (CaptureFile file = Captures.open(path)) {
                boolean cut = length > first && length < whole.length;
                assertEquals(length == whole.length ? 2 : 1, read(file).size());
                assertEquals(cut ? Ending.CUT_RECORD : Ending.WHOLE, file.ending());
            }
        }
    }

    @Test
    void endsAtImpossibleLengths() {
        CaptureBytes pcap = new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
        pcap.pcap(CaptureBytes.MICROSECONDS, 96, 1).record(1, 0, bytes("abcd"), 4);
        pcap.ints(2, 0, 262_145, 262_145).raw(new byte[300_000]);
        assertEquals(1, read(pcap, Ending.IMPOSSIBLE_LENGTH).size());
        CaptureBytes ng = new CaptureBytes(ByteOrder.LITTLE_ENDIAN).section();
        ng.networkInterface(1, 6, 0).enhanced(0, 1, bytes("abcd"), 4);
        for (int length : new int[] {0, 8, 11, -1}) {
            CaptureBytes bad = ng.body().raw(ng.array()).ints(6, length, 0, 0, 0, 0, 0, 0);
            assertEquals(1, read(bad, Ending.IMPOSSIBLE_LENGTH).size());
        }
        CaptureBytes absent = ng.body().raw(ng.array()).enhanced(1, 1, bytes("abcd"), 4);
        assertEquals(1, read(absent, Ending.UNKNOWN_INTERFACE).size());
        CaptureBytes reserved = ng.body().raw(ng.array()).block(-1, ng.body());
        assertEquals(2, read(reserved.enhanced(0, 1, bytes("e"), 1), Ending.WHOLE).size());
    }

    @Test
    void slidesItsWindowOverTheFile() {
        CaptureBytes pcap = new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
        pcap.pcap(CaptureBytes.MICROSECONDS, 96, 1);
        for (int i = 0; i < 1000; i++) {
            pcap.record(i, 0, bytes("p" + i), 4);
        }
        Path path = pcap.in(folder, "long");
        try (CaptureFile file = Captures.open(path, 64)) {
            List<Seen> seen = read(file);
            assertEquals(Ending.WHOLE, file.ending());
            for (int i = 0; i < 1000; i++) {
                assertEquals(new Seen(i * 1_000_000_000L, 1, 0, 4, "p" + i), seen.get(i));
            }
            assertEquals(1000, seen.size());
        }
    }

    @Test
    void saysWhatIsNotACapture() throws IOException {
        Path absent = folder.resolve("absent");
        refused(ErrorCode.UNREADABLE_INPUT, absent, "no such file");
        refused(ErrorCode.UNREADABLE_INPUT, folder, "directory");
        Path file = folder.resolve("file");
        refused(ErrorCode.NOT_A_CAPTURE, Files.write(file, new byte[0]), "empty");
        refused(ErrorCode.NOT_A_CAPTURE, Files.write(file, new byte[3]), "shorter");
        refused(ErrorCode.NOT_A_CAPTURE, Files.write(file, bytes("SELECT 1")), "53454c45");
        refused(
                ErrorCode.NOT_A_CAPTURE,
                Files.write(file, bytes("\u00d4\u00c3\u00b2\u00a1")),
                "cut");
        refused(ErrorCode.UNREADABLE_INPUT, Path.of("/dev/null"), "not a regular file");
        CaptureBytes old = new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
        old.ints(CaptureBytes.MICROSECONDS).shorts(1, 0).ints(0, 0, 96, 1);
        refused(ErrorCode.NOT_A_CAPTURE, Files.write(file, old.array()), "version 1.0");
    }

    /** First bytes of the formats' own specifications. */
    @Test
    void saysWhyItCannotDecompress() throws IOException {
        List<String> starts =
                List.of(
                        "\u001f\u008b\b\b",
                        "BZh9",
                        "\u00fd7zXZ\0",
                        "(\u00b5/\u00fd",
                        "\u0004\"M\u0018");
        for (String start : starts) {
            Path path = Files.write(folder.resolve("zipped"), bytes(start));
            refused(ErrorCode.NOT_A_CAPTURE, path, "cannot be decompressed (");
        }
        hint("PK\u0003\u0004", "unzip ");
        hint("snoop\0\0\0", "editcap ");
    }

    private void hint(String start, String program) throws IOException {
        Path path = Files.write(folder.resolve("other"), bytes(start));
        WeirException e = assertThrows(WeirException.class, () -> Captures.open(path));
        String hint = e.hint().orElseThrow();
        assertTrue(hint.contains(program), hint);
    }

    private static void refused(ErrorCode code, Path path, String text) {
        WeirException e = assertThrows(WeirException.class, () -> Captures.open(path));
        assertEquals(code, e.code());
        assertTrue(e.getMessage().contains(text), e.getMessage());
        assertTrue(e.getMessage().contains(path.toString()), e.getMessage());
    }
}

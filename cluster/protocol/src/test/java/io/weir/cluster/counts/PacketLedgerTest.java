package io.weir.cluster.counts;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.protocol.PacketCounts;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.ingest.source.PacketGate;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process knows how many packets those before it have read, however these have ended. */
final class PacketLedgerTest {
    @TempDir Path directory;
    @TempDir Path memory;

    private static void read(CountingGate gate, int packets, boolean late) {
        for (int p = 0; p < packets; p++) {
            assertEquals(PacketGate.TAKEN, gate.verdict(new PacketHeaders(), p, late));
        }
    }

    @Test
    void eachProcessFindsWhatThoseBeforeHaveRead() {
        Path file = PacketLedger.in(directory);
        CountingGate first = new CountingGate(PacketLedger.open(file, memory), 0);
        assertEquals(0, first.earlier());
        read(first, 1000, false);
        read(first, 5, true); // too late for their windows
        assertEquals(1000, first.before(Long.MAX_VALUE));
        CountingGate second =
                new CountingGate(PacketLedger.open(file, memory), 0); // nobody has closed it
        assertEquals(first.ledger(), second.ledger());
        assertEquals(1000, second.earlier());
        assertEquals(0, second.before(Long.MAX_VALUE));
        read(second, 10, false);
        assertEquals(1010, PacketLedger.open(file, memory).earlier());
    }

    @Test
    void anotherFileIsAnotherLedger() throws IOException {
        Path file = PacketLedger.in(directory);
        assertEquals(OptionalLong.empty(), PacketLedger.packets(file, memory));
        PacketLedger one = PacketLedger.open(file, memory);
        one.add(1);
        assertEquals(OptionalLong.of(1), PacketLedger.packets(file, memory));
        assertNotEquals(PacketCounts.NO_LEDGER, one.id());
        assertNotEquals(one.id(), PacketLedger.open(directory.resolve("other"), memory).id());
        Files.write(file, new byte[100]); // what is not whole is none
        PacketLedger anew = PacketLedger.open(file, memory);
        assertEquals(0, anew.earlier());
        assertNotEquals(one.id(), anew.id());
    }

    /** A process that ends leaves its count in the file; one that is killed, in memory. */
    @Test
    void theCountIsOnNoDiskWhileItGrows() throws IOException {
        Path file = PacketLedger.in(directory);
        PacketLedger first = PacketLedger.open(file, memory);
        byte[] begun = Files.readAllBytes(file);
        first.add(1);
        assertArrayEquals(begun, Files.readAllBytes(file));
        PacketLedger second = PacketLedger.open(file, memory); // the first was killed
        assertEquals(1, second.earlier());
        second.add(1);
        second.close();
        assertEquals(0, memory.toFile().list().length);
        PacketLedger third = PacketLedger.open(file, memory);
        assertEquals(2, third.earlier());
        assertEquals(first.id(), third.id());
        third.add(1);
        for (File page : memory.toFile().listFiles()) {
            Files.delete(
                    page.toPath()); // the machine was restarted: how many it had read nobody knows
        }
        PacketLedger fourth = PacketLedger.open(file, memory);
        assertEquals(0, fourth.earlier());
        assertNotEquals(first.id(), fourth.id());
    }

    /** Where there is no shared memory the file itself has the count. */
    @Test
    void withoutMemoryTheFileCounts() {
        Path file = PacketLedger.in(directory);
        Path none = directory.resolve("none");
        PacketLedger first = PacketLedger.open(file, none);
        first.add(1);
        assertEquals(OptionalLong.of(1), PacketLedger.packets(file, none));
        PacketLedger second = PacketLedger.open(file, none);
        assertEquals(1, second.earlier());
        second.close();
        assertEquals(1, PacketLedger.open(file, none).earlier());
    }

    @Test
    void whereNoFileCanBeThereIsNoLedger() {
        Path file = directory.resolve("missing").resolve("packets");
        Path gone = directory.resolve("none");
        WeirException e = assertThrows(WeirException.class, () -> PacketLedger.open(file, gone));
        assertEquals(ErrorCode.UNWRITABLE_OUTPUT, e.code());
        PacketLedger none = PacketLedger.none();
        none.add(1);
        assertEquals(PacketCounts.NO_LEDGER, none.id());
        assertEquals(0, none.earlier());
    }

    /** The disk takes no file when a process begins, and does later. */
    @Test
    void theFileCanComeLater() throws IOException {
        Path file = directory.resolve("missing").resolve("packets");
        PacketLedger first = PacketLedger.open(file, memory);
        assertFalse(first.isNamed());
        first.add(1);
        assertThrows(IOException.class, first::name);
        first.close();
        assertEquals(0, memory.toFile().list().length); // nobody would find it
        PacketLedger second = PacketLedger.open(file, memory);
        second.add(1);
        Files.createDirectory(file.getParent());
        second.name();
        assertTrue(second.isNamed());
        second.add(1);
        assertEquals(2, PacketLedger.open(file, memory).earlier()); // it was killed
    }
}

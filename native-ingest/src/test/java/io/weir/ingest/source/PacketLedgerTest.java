package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.merge.PacketCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process knows how many packets those before it have read, however these have ended. */
final class PacketLedgerTest {
    @TempDir Path directory;

    private static void read(CountingGate gate, int packets, boolean late) {
        for (int p = 0; p < packets; p++) {
            assertEquals(PacketGate.TAKEN, gate.verdict(new PacketHeaders(), p, late));
        }
    }

    @Test
    void eachProcessFindsWhatThoseBeforeHaveRead() {
        Path file = PacketLedger.in(directory);
        CountingGate first = new CountingGate(PacketLedger.open(file));
        assertEquals(0, first.earlier());
        read(first, 1000, false);
        read(first, 5, true); // too late for their windows
        assertEquals(1000, first.before(Long.MAX_VALUE));
        CountingGate second = new CountingGate(PacketLedger.open(file)); // nobody has closed it
        assertEquals(first.ledger(), second.ledger());
        assertEquals(1000, second.earlier());
        assertEquals(0, second.before(Long.MAX_VALUE));
        read(second, 10, false);
        assertEquals(1010, PacketLedger.open(file).earlier());
    }

    @Test
    void anotherFileIsAnotherLedger() throws IOException {
        Path file = PacketLedger.in(directory);
        assertEquals(OptionalLong.empty(), PacketLedger.packets(file));
        PacketLedger one = PacketLedger.open(file);
        one.add();
        assertEquals(OptionalLong.of(1), PacketLedger.packets(file));
        assertNotEquals(PacketCounts.NO_LEDGER, one.id());
        assertNotEquals(one.id(), PacketLedger.open(directory.resolve("other")).id());
        Files.write(file, new byte[100]); // what is not whole is none
        PacketLedger anew = PacketLedger.open(file);
        assertEquals(0, anew.earlier());
        assertNotEquals(one.id(), anew.id());
    }

    @Test
    void whereNoFileCanBeThereIsNoLedger() {
        Path file = directory.resolve("missing").resolve("packets");
        WeirException e = assertThrows(WeirException.class, () -> PacketLedger.open(file));
        assertEquals(ErrorCode.UNWRITABLE_OUTPUT, e.code());
        PacketLedger none = PacketLedger.none();
        none.add();
        assertEquals(PacketCounts.NO_LEDGER, none.id());
        assertEquals(0, none.earlier());
    }
}

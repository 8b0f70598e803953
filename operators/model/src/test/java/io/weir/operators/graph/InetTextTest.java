package io.weir.operators.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class InetTextTest {
    /** RFC 5952 sections 4 and 5: the text on the left is written as on the right. */
    @ParameterizedTest
    @CsvSource({
        "2001:0db8::0001, 2001:db8::1",
        "2001:db8:0:0:0:0:2:1, 2001:db8::2:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:DB8::AB, 2001:db8::ab",
        "0:0:0:0:0:0:0:0, ::",
        "0:0:0:0:0:0:0:1, ::1",
        "1:0:0:0:0:0:0:0, 1::",
        "0:0:0:0:0:ffff:c000:0201, ::ffff:192.0.2.1",
        "::ffff:192.0.2.1, ::ffff:192.0.2.1",
        "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
        "192.0.2.1, 192.0.2.1",
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
    })
    void writesCanonicalText(String text, String canonical) {
        assertEquals(canonical, InetText.parse(text).orElseThrow().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1.2.3",
                "1.2.3.4.5",
                "256.1.1.1",
                "01.2.3.4",
                "1.2.3.x",
                "1..2.3",
                ":",
                ":::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "12345::",
                "g::",
                "::1.2.3",
                "1:2:3:4:5:6:7:1.2.3.4",
                "1:2:3:4:5:6:7::8",
                "1.2.3.4::",
                "-1.2.3.4",
                "::٣"
            })
    void refusesWhatIsNoAddress(String text) {
        assertEquals(Optional.empty(), InetText.parse(text));
    }

    /** The JDK reads what we write as the same bytes, and we read what it writes. */
    @Test
    void agreesWithTheJdk() throws UnknownHostException {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] = random.nextInt(3) == 0 ? (byte) random.nextInt() : 0;
            }
            Inet address = inet(bytes);
            String message = "seed " + seed + ", " + address;
            assertEquals(Optional.of(address), InetText.parse(address.toString()), message);
            InetAddress theirs = InetAddress.getByAddress(bytes);
            if (theirs.getAddress().length == bytes.length) { // the JDK unmaps IPv4-mapped ones
                assertEquals(theirs, InetAddress.getByName(address.toString()), message);
                assertEquals(
                        Optional.of(address), InetText.parse(theirs.getHostAddress()), message);
            }
        }
    }

    @Test
    void ordersFamiliesThenUnsignedValues() {
        Inet low = InetText.parse("10.0.0.1").orElseThrow();
        Inet high = InetText.parse("200.0.0.1").orElseThrow();
        Inet six = InetText.parse("::1").orElseThrow();
        Inet sixHigh = InetText.parse("fe80::").orElseThrow();
        assertTrue(low.compareTo(high) < 0 && high.compareTo(six) < 0);
        assertTrue(six.compareTo(sixHigh) < 0);
    }

    private static Inet inet(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return bytes.length == 4
                ? Inet.v4(buffer.getInt())
                : Inet.v6(buffer.getLong(), buffer.getLong());
    }
}

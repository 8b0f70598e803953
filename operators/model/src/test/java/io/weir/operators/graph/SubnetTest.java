package io.weir.operators.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SubnetTest {
    /** Against arithmetic on big integers. */
    @Test
    void containsWhatSharesThePrefix() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < 50_000; i++) {
            int bits = random.nextBoolean() ? 32 : 128;
            int prefix = random.nextInt(bits + 1);
            BigInteger network = new BigInteger(bits, random);
            BigInteger address = network.xor(new BigInteger(bits, random).shiftRight(prefix));
            if (random.nextInt(4) == 0) {
                address = new BigInteger(bits, random);
            }
            boolean expected =
                    network.shiftRight(bits - prefix).equals(address.shiftRight(bits - prefix));
            int family = bits == 32 ? 4 : 6;
            boolean actual =
                    Subnet.contains(
                            family,
                            high(network),
                            network.longValue(),
                            prefix,
                            family,
                            high(address),
                            address.longValue());
            assertEquals(expected, actual, "seed " + seed + ": " + network + "/" + prefix);
        }
    }

    @Test
    void anotherFamilyIsNeverInside() {
        assertFalse(Subnet.contains(4, 0, 0, 0, 6, 0, 0));
        assertFalse(Subnet.contains(6, 0, 0, 0, 4, 0, 0));
    }

    private static long high(BigInteger value) {
        return value.shiftRight(64).longValue();
    }
}

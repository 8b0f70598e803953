package io.weir.operators.sketch;

import io.weir.operators.graph.Inet;
import org.apache.datasketches.common.ArrayOfItemsSerDe;
import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.memory.WritableMemory;

/** Stores IPv6 addresses in a sketch's bytes: two words each. Stateless. */
final class InetBytes extends ArrayOfItemsSerDe<Inet> {
    private static final int BYTES = 2 * Long.BYTES;

    @Override
    public byte[] serializeToByteArray(Inet address) {
        return serializeToByteArray(new Inet[] {address});
    }

    @Override
    public byte[] serializeToByteArray(Inet[] addresses) {
        byte[] bytes = new byte[addresses.length * BYTES];
        WritableMemory memory = WritableMemory.writableWrap(bytes);
        for (int i = 0; i < addresses.length; i++) {
            memory.putLong((long) i * BYTES, addresses[i].high());
            memory.putLong((long) i * BYTES + Long.BYTES, addresses[i].low());
        }
        return bytes;
    }

    @Override
    public Inet[] deserializeFromMemory(Memory memory, long offset, int count) {
        if (count < 0 || offset < 0 || offset + (long) count * BYTES > memory.getCapacity()) {
            throw new IllegalArgumentException(count + " addresses at " + offset);
        }
        Inet[] addresses = new Inet[count];
        for (int i = 0; i < count; i++) {
            long at = offset + (long) i * BYTES;
            addresses[i] = Inet.v6(memory.getLong(at), memory.getLong(at + Long.BYTES));
        }
        return addresses;
    }

    @Override
    public int sizeOf(Inet address) {
        return BYTES;
    }

    @Override
    public int sizeOf(Memory memory, long offset, int count) {
        return count * BYTES;
    }

    @Override
    public String toString(Inet address) {
        return address.toString();
    }

    @Override
    public Class<Inet> getClassOfT() {
        return Inet.class;
    }
}

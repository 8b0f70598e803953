package io.weir.operators.kernel;

import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.FieldAccess;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.TupleSum;
import io.weir.operators.map.Batch;
import io.weir.operators.map.GatherCall;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeGpvs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.BufferUtil;

/**
 * The description of what a kernel reads from each GPV. A loop in C ({@code gather.c}) follows it
 * and prefetches memory while it reads. It can count packets, all or only those with some bits in a
 * field. It can build keys from header fields, add up fields of tuples, and test header fields.
 * Each GPV becomes an entry of a batch, and C finds the home slots of its keys; or the GPVs are
 * only added up. If keys contain fields of tuples, each packet becomes an entry.
 *
 * <p>C may add the entries to the tables at once ({@code add.c}). It adds words of an entry to its
 * group. For a key that is new in a set, it adds one to the key's group. If a table has no room,
 * the entries stay in the batch, and the kernel's update adds them.
 *
 * <p>A call ends when the batch is full. It also ends at a GPV that lies partly outside its time;
 * the kernel then takes that GPV in parts. The constants {@code MOST_…} bound the fields. Any
 * thread, each with its own batch.
 *
 * <pre>
 *   0 layout   8 gated   16 entry bytes   24 bytes to the count   32 pieces   40 sums   48 tests
 *  56 what is added: 0 nothing, 1 to groups, 2 to those of a set's new keys   64 words of a group
 *  72 those of four bytes   80 fields   88 bytes from a tuple to what is matched, or -1
 *  96 pieces:  at 8, right 8, left 8, to 8, kept 8
 * 416 sums:    at 8, right 8, to 8, masks 8
 * 544 tests:   at 8, right 8
 * 608 words:   to 8, from 8
 * 704 fields:  as pieces
 * </pre>
 */
public final class Gather {
    public static final int MOST_PIECES = 8;
    public static final int MOST_SUMS = 4;
    public static final int MOST_TESTS = 4;

    public static final int MOST_WORDS = 6;
    public static final int MOST_FIELDS = 4;

    /** The most bytes of an entry that stands for one packet. */
    public static final int MOST_PACKET_BYTES = 128;

    /** Entries that are processed together. Prefetched memory then stays in the nearest cache. */
    public static final int ENTRIES = 64;

    /** Packet entries that a call may make before it checks whether the tables have room. */
    public static final int PACKETS = 2 * ENTRIES;

    private static final int PIECES = 96;
    private static final int PIECE_BYTES = 40;
    private static final int SUMS = PIECES + MOST_PIECES * PIECE_BYTES;
    private static final int SUM_BYTES = 32;
    private static final int TESTS = SUMS + MOST_SUMS * SUM_BYTES;
    private static final int TEST_BYTES = 16;
    private static final int WORDS = TESTS + MOST_TESTS * TEST_BYTES;
    private static final int WORD_BYTES = 16;
    private static final int FIELDS = WORDS + MOST_WORDS * WORD_BYTES;
    private static final int BYTES = FIELDS + MOST_FIELDS * PIECE_BYTES;

    private static final int TO_GROUPS = 1;
    private static final int TO_GROUPS_OF_NEW = 2;

    private final GpvLayout layout;
    private final Field count;
    private final boolean bigEndian;

    /** The memory of the plan. It is freed with this object. */
    private final ByteBuffer plan = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());

    private final long address = BufferUtil.address(plan);
    private int pieces;
    private int sums;
    private int tests;
    private int words;
    private int fields;

    /**
     * Starts an empty plan.
     *
     * @param gated whether a call also ends at a GPV that fails a test and lies partly outside the
     *     time
     * @param entryBytes of the batch; 0 to add up
     * @param countTo bytes from an entry to its count; unused if packets have entries
     */
    public Gather(String layout, int family, boolean gated, int entryBytes, int countTo) {
        this.layout = GpvLayout.of(layout, family).orElseThrow();
        count = field(GpvLayout.COUNT);
        bigEndian = this.layout.order() == ByteOrder.BIG_ENDIAN;
        plan.putLong(0, this.layout.id());
        plan.putLong(8, gated ? 1 : 0);
        plan.putLong(16, entryBytes);
        plan.putLong(24, countTo);
        plan.putLong(88, -1);
    }

    /** Writes a field to a word of the entry, so many bits above the word's low end. */
    public Gather word(int to, String column, int left) {
        return piece(to, field(column), left, 0);
    }

    /** Adds another field to that word. */
    public Gather and(int to, String column, int left) {
        return piece(to, field(column), left, -1);
    }

    /** Writes the first half of an IPv6 address to a word of the entry. */
    public Gather high(int to, String column) {
        return piece(to, half(column, 0), 0, 0);
    }

    /** Writes the second half of an IPv6 address to a word of the entry. */
    public Gather low(int to, String column) {
        return piece(to, half(column, Long.BYTES), 0, 0);
    }

    /** Adds a field up over the tuples, into a word of the entry or into the next sum. */
    public Gather sum(int to, String column) {
        Field field = field(column);
        int at = SUMS + sums * SUM_BYTES;
        plan.putLong(at, field.offset());
        plan.putLong(at + 8, field.shift());
        plan.putLong(at + 16, to);
        if (bigEndian) {
            long low = (1L << field.bits()) - 1;
            plan.putLong(at + 24, TupleSum.masks(field.shift(), low));
        }
        plan.putLong(40, ++sums);
        return this;
    }

    /** Writes a field of the tuple to a word of a packet's entry. Other fields of the word stay. */
    public Gather field(int to, String column, int left) {
        Field field = field(column);
        int at = FIELDS + fields * PIECE_BYTES;
        long shift = field.shift() + Long.SIZE - (long) field.loadBytes() * Byte.SIZE;
        plan.putLong(at, load(field.offset(), field.loadBytes()));
        plan.putLong(at + 8, shift);
        plan.putLong(at + 16, left);
        plan.putLong(at + 24, to);
        plan.putLong(at + 32, field.bits() == Long.SIZE ? -1 : (1L << field.bits()) - 1);
        plan.putLong(80, ++fields);
        return this;
    }

    /** Counts only packets whose field of two bytes has the value that the call sets. */
    public Gather match(String column) {
        plan.putLong(88, field(column).offset());
        return this;
    }

    /** Requires that a field has the call's next value. */
    public Gather test(String column) {
        Field field = field(column);
        int at = TESTS + tests * TEST_BYTES;
        plan.putLong(at, load(field.offset(), field.loadBytes()));
        plan.putLong(at + 8, Long.SIZE - field.bits());
        plan.putLong(48, ++tests);
        return this;
    }

    /** Adds entries to the groups of the call's first table. A group that is missing is made. */
    public Gather groups() {
        plan.putLong(56, TO_GROUPS);
        return this;
    }

    /**
     * Adds to a count of four bytes. All such counts come before any word of eight bytes.
     *
     * @param to bytes from a group's value
     * @param from bytes from an entry of the batch; -1 for one
     */
    public Gather count(int to, int from) {
        plan.putLong(72, plan.getLong(72) + 1);
        return add(to, from);
    }

    /** Adds to a word of eight bytes. */
    public Gather add(int to, int from) {
        int at = WORDS + words * WORD_BYTES;
        plan.putLong(at, to);
        plan.putLong(at + 8, from);
        plan.putLong(64, ++words);
        return this;
    }

    /** Adds one to the group in the call's second table for each key that is new in the first. */
    public Gather countNew(int to) {
        plan.putLong(56, TO_GROUPS_OF_NEW);
        return count(to, 0);
    }

    /** Does the same for a count of eight bytes. */
    public Gather addNew(int to) {
        plan.putLong(56, TO_GROUPS_OF_NEW);
        return add(to, 0);
    }

    /** Returns whether C adds the entries to the tables. */
    boolean adds() {
        return plan.getLong(56) != 0;
    }

    /** Returns the layout's number of tables. */
    int tables() {
        return layout.tables();
    }

    /** Returns the bytes of the GPV at this address. */
    int gpvBytes(long gpv) {
        return layout.gpvBytes((int) FieldAccess.load(count, layout.order(), gpv));
    }

    /** Returns the number of packets in so many GPVs that take so many bytes. */
    long packets(long bytes, int gpvs) {
        return (bytes - (long) gpvs * layout.headerBytes()) / layout.tupleBytes();
    }

    private Field field(String column) {
        return layout.field(column).orElseThrow();
    }

    private Field half(String column, int at) {
        Field whole = field(column);
        int offset = whole.offset() + at;
        return new Field(column, whole.place(), offset, Long.BYTES, 0, Long.SIZE);
    }

    private Gather piece(int to, Field field, int left, long kept) {
        int at = PIECES + pieces * PIECE_BYTES;
        plan.putLong(at, load(field.offset(), field.loadBytes()));
        plan.putLong(at + 8, Long.SIZE - field.bits());
        plan.putLong(at + 16, left);
        plan.putLong(at + 24, to);
        plan.putLong(at + 32, kept);
        if (kept == 0 || !joins(at - PIECE_BYTES, field, left)) {
            plan.putLong(32, ++pieces);
        }
        return this;
    }

    /** Joins two pieces that are adjacent in the GPV and in the word. Returns whether it did. */
    private boolean joins(int before, Field field, int left) {
        long bits = Long.SIZE - plan.getLong(before + 8);
        boolean adjoins =
                bigEndian
                        && plan.getLong(before) + bits / Byte.SIZE == field.offset()
                        && plan.getLong(before + 16) == left + field.bits()
                        && bits + field.bits() <= Long.SIZE;
        if (adjoins) {
            plan.putLong(before + 8, Long.SIZE - bits - field.bits());
            plan.putLong(before + 16, left);
        }
        return adjoins;
    }

    /** Returns the offset of the 64-bit word whose highest bits are the field. */
    private int load(int offset, int bytes) {
        return bigEndian ? offset : offset + bytes - Long.BYTES;
    }

    /**
     * Reads GPVs into entries. The call's tables are described, and its values set.
     *
     * @param entry address of the next
     * @param end there is room up to here
     * @return address of the entry after the last
     */
    public long entries(
            Batch batch, long entry, long end, long next, int gpvs, long fromNs, long untilNs) {
        long call = batch.call();
        Memory.putLong(call + GatherCall.NEXT, next);
        Memory.putLong(call + GatherCall.LEFT, gpvs);
        Memory.putLong(call + GatherCall.ENTRY, entry);
        Memory.putLong(call + GatherCall.END, end);
        Memory.putLong(call + GatherCall.FROM_NS, fromNs);
        Memory.putLong(call + GatherCall.UNTIL_NS, untilNs);
        Memory.putLong(call + GatherCall.HIGH, 0);
        NativeGpvs.gather(address, call);
        return Memory.getLong(call + GatherCall.ENTRY);
    }

    /** Returns whether the last call has brought a count of four bytes to 2^31. */
    public static boolean isHigh(Batch batch) {
        return Memory.getLong(batch.call() + GatherCall.HIGH) != 0;
    }

    /** Adds GPVs up; returns how many packets they have. */
    public long packets(Batch batch, long next, int gpvs, long fromNs, long untilNs) {
        long call = batch.call();
        Memory.putLong(call + GatherCall.TABLES, 0);
        for (int s = 0; s < MOST_SUMS; s++) {
            Memory.putLong(call + GatherCall.SUMS + (long) s * Long.BYTES, 0);
        }
        entries(batch, 0, 0, next, gpvs, fromNs, untilNs);
        return Memory.getLong(call + GatherCall.COUNT);
    }

    /** A sum over the GPVs that were added up last. */
    public static long sum(Batch batch, int index) {
        return Memory.getLong(batch.call() + GatherCall.SUMS + (long) index * Long.BYTES);
    }

    /** Sets the value that packets must have to count: the low two bytes of each argument. */
    public static void match(Batch batch, long mask, long wanted) {
        Memory.putLong(batch.call() + GatherCall.MASK, mask);
        Memory.putLong(batch.call() + GatherCall.WANTED, wanted);
    }

    /** Sets what a test asks for. */
    public static void value(Batch batch, int index, long value) {
        Memory.putLong(batch.call() + GatherCall.VALUES + (long) index * Long.BYTES, value);
    }
}

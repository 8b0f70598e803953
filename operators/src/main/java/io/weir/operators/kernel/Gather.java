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
 * What a kernel reads of each GPV, as data for a loop of C ({@code gather.c}) that asks for memory
 * while it reads: the count of packets, or of those with some bits in a field, header fields that
 * make up keys, fields of tuples added up, and header fields that must have some value. GPVs become
 * entries of a batch, whose keys' homes are found too; or they are added up. Where keys have fields
 * of tuples, too, each packet becomes an entry.
 *
 * <p>What entries bring may be added to the tables at once ({@code add.c}): words of them to their
 * groups, or where a key is new in a set, one to the key's group. They are left in the batch, for
 * the kernel's update, where the tables have no room for them.
 *
 * <p>A call ends at a GPV that is not wholly within its time, which the kernel takes in parts, or
 * where the batch is full. Of as many fields as {@code MOST_…} at most. Any thread, with its own
 * batch.
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

    /** Of an entry of a packet. */
    public static final int MOST_PACKET_BYTES = 128;

    /** Entries at a time: what is asked for stays in the nearest cache. */
    public static final int ENTRIES = 64;

    /** Entries of packets that a call may make before it looks whether tables have room. */
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

    /** Goes with this object. */
    private final ByteBuffer plan = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());

    private final long address = BufferUtil.address(plan);
    private int pieces;
    private int sums;
    private int tests;
    private int words;
    private int fields;

    /**
     * Reads nothing yet.
     *
     * @param gated whether what is not wholly within the time ends a call also where it fails a
     *     test
     * @param entryBytes of the batch; 0 to add up
     * @param countTo bytes from an entry to its count; not where packets have entries
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

    /** A word of an entry begins with a field, so many bits above its low end. */
    public Gather word(int to, String column, int left) {
        return piece(to, field(column), left, 0);
    }

    /** And it has another one. */
    public Gather and(int to, String column, int left) {
        return piece(to, field(column), left, -1);
    }

    /** A word of an entry is the first half of an IPv6 address. */
    public Gather high(int to, String column) {
        return piece(to, half(column, 0), 0, 0);
    }

    /** A word of an entry is its second half. */
    public Gather low(int to, String column) {
        return piece(to, half(column, Long.BYTES), 0, 0);
    }

    /** A word of an entry, or the next of the sums, is that of a field over the tuples. */
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

    /** A word of a packet's entry, whatever else it has, has a field of its tuple there. */
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

    /** Only packets count in which a field of two bytes is as the call has it. */
    public Gather match(String column) {
        plan.putLong(88, field(column).offset());
        return this;
    }

    /** A field must have the call's next value. */
    public Gather test(String column) {
        Field field = field(column);
        int at = TESTS + tests * TEST_BYTES;
        plan.putLong(at, load(field.offset(), field.loadBytes()));
        plan.putLong(at + 8, Long.SIZE - field.bits());
        plan.putLong(48, ++tests);
        return this;
    }

    /** Entries are added to the groups of the call's first table, which thereby are there. */
    public Gather groups() {
        plan.putLong(56, TO_GROUPS);
        return this;
    }

    /**
     * A count of four bytes, before any word of eight, is added to.
     *
     * @param to bytes from a group's value
     * @param from bytes from an entry of the batch; -1 for one
     */
    public Gather count(int to, int from) {
        plan.putLong(72, plan.getLong(72) + 1);
        return add(to, from);
    }

    /** So is a word of eight bytes. */
    public Gather add(int to, int from) {
        int at = WORDS + words * WORD_BYTES;
        plan.putLong(at, to);
        plan.putLong(at + 8, from);
        plan.putLong(64, ++words);
        return this;
    }

    /** Where a key is new in the call's first table, its group in the second counts one more. */
    public Gather countNew(int to) {
        plan.putLong(56, TO_GROUPS_OF_NEW);
        return count(to, 0);
    }

    /** The same for a count of eight bytes. */
    public Gather addNew(int to) {
        plan.putLong(56, TO_GROUPS_OF_NEW);
        return add(to, 0);
    }

    /** Whether what entries bring is added to the tables. */
    boolean adds() {
        return plan.getLong(56) != 0;
    }

    /** As the layout's. */
    int tables() {
        return layout.tables();
    }

    /** Of the GPV at this address. */
    int gpvBytes(long gpv) {
        return layout.gpvBytes((int) FieldAccess.load(count, layout.order(), gpv));
    }

    /** How many packets GPVs have that take so many bytes. */
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

    /** Makes one piece of two that lie behind each other as in the word; whether they do. */
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

    /** Where a word of 64 bits lies whose highest bits are a field. */
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

    /** Whether the last call has brought a count of four bytes to 2^31. */
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

    /** Sets what packets must be to count: the low two bytes of each. */
    public static void match(Batch batch, long mask, long wanted) {
        Memory.putLong(batch.call() + GatherCall.MASK, mask);
        Memory.putLong(batch.call() + GatherCall.WANTED, wanted);
    }

    /** Sets what a test asks for. */
    public static void value(Batch batch, int index, long value) {
        Memory.putLong(batch.call() + GatherCall.VALUES + (long) index * Long.BYTES, value);
    }
}

package io.weir.cluster.protocol.wire;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Kind;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.code.KeyField;
import io.weir.operators.map.FlatMap;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowLayout;
import io.weir.operators.sketch.SketchBytes;
import io.weir.operators.window.Tables;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads blocks of one partial, in the order in which they were written, into an empty one. Blocks
 * are not trusted. Lengths and counts are checked against the bytes, places against their tables.
 * After an error the partial can only be closed. Cold; one thread.
 */
public final class PartialReader implements AutoCloseable {
    private final StateForm form;
    private final NativeAllocator allocator;
    private final long scratch;
    private final long scratchBytes;

    private Partial into;
    private ForeignSymbols symbols;
    private List<byte[]> sketches;
    private boolean counted;

    /**
     * @param allocator for a little scratch
     */
    public PartialReader(StateForm form, NativeAllocator allocator) {
        this.form = form;
        this.allocator = allocator;
        int keyWords =
                form.tables().values().stream().mapToInt(EntryForm::keyWords).max().orElse(0);
        scratchBytes = (long) keyWords * Long.BYTES;
        scratch = allocator.allocate(scratchBytes, MemoryTag.SCRATCH);
    }

    /**
     * Adds a block's groups, or rows. The partial counts entries without room.
     *
     * @throws WeirException MALFORMED_BYTES, OTHER_VERSION
     */
    public void read(byte[] block, Partial to) {
        BlockHeader header = BlockHeader.read(block, form);
        into = to;
        counted = header.counted();
        symbols = new ForeignSymbols(header.symbols(), form.code().rowLayout().strings());
        sketches = sketches(header.sketches());
        ByteBuffer sections = header.sections();
        while (sections.hasRemaining()) {
            section(sections);
        }
    }

    private static List<byte[]> sketches(ByteBuffer bytes) {
        List<byte[]> sketches = new ArrayList<>();
        while (bytes.hasRemaining()) {
            int length = bytes.remaining() < Integer.BYTES ? -1 : bytes.getInt();
            if (length < 0 || length > bytes.remaining()) {
                throw BlockHeader.malformed("a sketch is cut");
            }
            byte[] sketch = new byte[length];
            bytes.get(sketch);
            sketches.add(sketch);
        }
        return sketches;
    }

    private void section(ByteBuffer sections) {
        if (sections.remaining() < BlockForm.SECTION_BYTES) {
            throw BlockHeader.malformed("a section is cut");
        }
        int table = sections.getInt();
        long entries = sections.getInt();
        EntryForm entry = form.tables().get(table);
        if (entry == null) {
            throw BlockHeader.malformed("it has no table " + table);
        }
        int words = entry.words();
        if (entries < 0 || entries * words * Long.BYTES > sections.remaining()) {
            throw BlockHeader.malformed("table " + table + " is cut");
        }
        ByteBuffer bytes =
                sections.slice(sections.position(), (int) (entries * words * Long.BYTES))
                        .order(ByteOrder.LITTLE_ENDIAN);
        sections.position(sections.position() + bytes.capacity());
        if (table == BlockForm.ROWS) {
            rows(bytes, entries);
        } else {
            entries(bytes, table, entry, entries);
        }
    }

    private void entries(ByteBuffer bytes, int table, EntryForm entry, long count) {
        FlatMap map;
        Tables tables = into.tables();
        try {
            map = tables.open(table);
        } catch (WeirException noMemory) {
            into.lost(count);
            for (long e = 0; e < count && table < 2; e++) {
                long value = (e * entry.words() + entry.keyWords()) * Long.BYTES;
                withoutRoom(bytes, (int) value);
            }
            return;
        }
        long[] key = new long[entry.keyWords()];
        for (long e = 0; e < count; e++) {
            for (int w = 0; w < key.length; w++) {
                key[w] = bytes.getLong();
            }
            checked(entry, key);
            for (int w = 0; w < key.length; w++) {
                Memory.putLong(scratch + (long) w * Long.BYTES, key[w]);
            }
            long value = map.findAt(scratch);
            boolean added = map.inserted();
            if (value != 0 && !added) {
                throw BlockHeader.malformed("a group of table " + table + " comes twice");
            } else if (table < 2) {
                values(bytes, value, entry.valueWords());
            } else if (value != 0) {
                value = form.state().group(groups(tables, table), table, scratch);
                count(value, table);
            }
            if (value == 0) {
                into.lost(1);
            }
        }
    }

    /**
     * @param value the place of the group's words
     */
    private void withoutRoom(ByteBuffer bytes, int value) {
        form.packetsWord()
                .ifPresent(
                        word -> {
                            long packets = bytes.getLong(value + word * Long.BYTES);
                            into.tables().leftOut().addWithoutRoom(packets);
                        });
    }

    private FlatMap groups(Tables tables, int setTable) {
        return tables.open(form.state().groupTableOfSet(setTable));
    }

    private void count(long group, int setTable) {
        if (group != 0) {
            long at = group + form.state().distinctOffset(setTable / 2 - 1);
            Memory.putLong(at, Memory.getLong(at) + 1);
        }
    }

    /** Translates strings, and checks that addresses have a family. */
    private void checked(EntryForm entry, long[] key) {
        if (entry.lead() > 0 && key[0] >>> Long.SIZE - entry.lead() != 0) {
            throw BlockHeader.malformed("a key has bits where none are");
        }
        for (int s = 0; s < entry.symbols().size(); s++) {
            KeyField symbol = entry.symbols().get(s);
            if (!symbol.isNull(key)) {
                long id = KeyField.get(key, symbol.at(), symbol.bits());
                KeyField.put(key, symbol.at(), symbol.bits(), symbols.translate(id));
            }
        }
        for (int f = 0; f < entry.families().size(); f++) {
            KeyField inet = entry.families().get(f);
            if (!inet.isNull(key)) {
                long low = KeyField.get(key, inet.at() + inet.bits() - Long.SIZE, Long.SIZE);
                int highAt = inet.at() + inet.familyBits();
                long high = KeyField.get(key, highAt, Long.SIZE);
                checkAddress(KeyField.get(key, inet.at(), inet.familyBits()), high, low);
            }
        }
    }

    private static void checkAddress(long family, long high, long low) {
        boolean four = family == 4 && high == 0 && low >>> Integer.SIZE == 0;
        if (!four && family != 6) {
            throw BlockHeader.malformed("an address that is none");
        }
    }

    /** Reads the words of a group to its address, or skips them if it has none. */
    private void values(ByteBuffer bytes, long value, int words) {
        int from = bytes.position();
        bytes.position(from + words * Long.BYTES);
        if (value == 0) {
            withoutRoom(bytes, from);
            return;
        }
        int sketch = 0;
        for (int w = 0; w < words; w++) {
            long at = value + (long) w * Long.BYTES;
            long word = bytes.getLong(from + w * Long.BYTES);
            if (sketch < form.sketchWords().size() && form.sketchWords().get(sketch) == w) {
                Memory.putLong(at, sketch(Memory.getLong(at), word, form.sketchKind(sketch)));
                sketch++;
            } else {
                Memory.putLong(at, word);
            }
        }
        // The tuples that follow increase these counts.
        for (int c = 0; c < form.countWords().size() && !counted; c++) {
            Memory.putLong(value + (long) form.countWords().get(c) * Long.BYTES, 0);
        }
    }

    private long sketch(long none, long place, Kind kind) {
        if (place == BlockForm.NO_SKETCH) {
            return none;
        } else if (place == BlockForm.REFUSED_SKETCH) {
            return SketchBytes.refused(none);
        } else if (place < 0 || place > sketches.size()) {
            throw BlockHeader.malformed("it has no sketch " + place);
        }
        byte[] bytes = sketches.get((int) place - 1);
        return SketchBytes.put(none, bytes, word -> sketchWord(kind, word));
    }

    /** Returns this process's word for a value that a sketch counts. */
    private long sketchWord(Kind kind, long word) {
        if (kind == Kind.VARCHAR) {
            return symbols.translate(word);
        } else if (kind == Kind.INET) {
            checkAddress(4, 0, word);
        }
        return word;
    }

    private void rows(ByteBuffer bytes, long count) {
        RowLayout layout = form.rows();
        int words = form.tables().get(BlockForm.ROWS).valueWords();
        for (long r = 0; r < count; r++) {
            long row = into.tables().rows().append();
            if (row == 0) {
                into.lost(count - r);
                return;
            }
            for (int w = 0; w < words; w++) {
                Memory.putLong(row + (long) w * Long.BYTES, bytes.getLong());
            }
            checkRow(layout, row + Long.BYTES);
        }
    }

    private void checkRow(RowLayout layout, long row) {
        for (int c = 0; c < layout.columns().size(); c++) {
            long at = row + layout.offset(c);
            boolean isNull = Rows.isNull(row, c);
            if (!isNull && layout.kind(c) == Kind.VARCHAR) {
                Memory.putLong(at, symbols.translate(Memory.getLong(at)));
            } else if (!isNull && layout.kind(c) == Kind.INET) {
                long high = Memory.getLong(at + Long.BYTES);
                checkAddress(Memory.getLong(at), high, Memory.getLong(at + 2 * Long.BYTES));
            }
        }
    }

    @Override
    public void close() {
        allocator.free(scratch, scratchBytes, MemoryTag.SCRATCH);
    }
}

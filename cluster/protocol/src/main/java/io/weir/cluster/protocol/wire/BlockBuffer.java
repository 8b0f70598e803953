package io.weir.cluster.protocol.wire;

import io.weir.operators.graph.Symbols;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A block that is being written. One thread. */
final class BlockBuffer {
    private static final int FIRST_BYTES = 4096;
    private static final int MOST_SYMBOL_BYTES = 0xFFFF;

    private final long fingerprint;
    private final byte flags;
    private ByteBuffer sections = ByteBuffer.allocate(FIRST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final List<byte[]> sketches = new ArrayList<>();
    private final Map<Integer, byte[]> symbols = new LinkedHashMap<>();
    private int sketchBytes;
    private int symbolBytes;
    private boolean open;
    private int table;
    private int entriesAt;
    private int entries;

    BlockBuffer(long fingerprint, byte flags) {
        this.fingerprint = fingerprint;
        this.flags = flags;
    }

    boolean isEmpty() {
        return sections.position() == 0;
    }

    int bytes() {
        return BlockForm.HEADER_BYTES + sections.position() + sketchBytes + symbolBytes;
    }

    /** Begins words of an entry of this table. */
    void entry(int ofTable, int words) {
        int needed = words * Long.BYTES + BlockForm.SECTION_BYTES;
        if (sections.remaining() < needed) {
            int larger = Math.max(sections.capacity() * 2, sections.position() + needed);
            sections =
                    ByteBuffer.wrap(Arrays.copyOf(sections.array(), larger))
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .position(sections.position());
        }
        if (!open || table != ofTable) {
            open = true;
            table = ofTable;
            entries = 0;
            sections.putInt(ofTable);
            entriesAt = sections.position();
            sections.putInt(0);
        }
        sections.putInt(entriesAt, ++entries);
    }

    void word(long word) {
        sections.putLong(word);
    }

    /** Adds a sketch of the entry. Returns its place in the block. */
    long sketch(byte[] bytes) {
        sketches.add(bytes);
        sketchBytes += Integer.BYTES + bytes.length;
        return sketches.size();
    }

    /** Adds a string of the entry. */
    void symbol(int id) {
        if (!symbols.containsKey(id)) {
            byte[] text = Symbols.text(id).getBytes(StandardCharsets.UTF_8);
            if (text.length > MOST_SYMBOL_BYTES) {
                throw new IllegalStateException("a string of " + text.length + " bytes");
            }
            symbols.put(id, text);
            symbolBytes += Integer.BYTES + Short.BYTES + text.length;
        }
    }

    /** Frees the memory of a large block. */
    void shrink() {
        if (sections.capacity() > FIRST_BYTES) {
            sections = ByteBuffer.allocate(FIRST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** Returns the block, and empties this buffer. */
    byte[] take() {
        ByteBuffer block = ByteBuffer.allocate(bytes()).order(ByteOrder.LITTLE_ENDIAN);
        block.putInt(BlockForm.MAGIC).put(BlockForm.VERSION).put(flags).putShort((short) 0);
        block.putLong(fingerprint);
        block.putInt(sections.position()).putInt(sketchBytes).putInt(symbolBytes).putInt(0);
        block.put(sections.array(), 0, sections.position());
        sketches.forEach(sketch -> block.putInt(sketch.length).put(sketch));
        symbols.forEach((id, text) -> block.putInt(id).putShort((short) text.length).put(text));
        sections.clear();
        sketches.clear();
        symbols.clear();
        sketchBytes = 0;
        symbolBytes = 0;
        open = false;
        return block.array();
    }
}

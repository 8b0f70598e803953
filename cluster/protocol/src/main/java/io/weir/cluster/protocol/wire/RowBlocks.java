package io.weir.cluster.protocol.wire;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Symbols;
import io.weir.operators.graph.Type;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Result rows as blocks of bytes that list their columns, so that another process can read them.
 * Blocks are not trusted. Cold; stateless.
 *
 * <pre>
 *   byte version, int columns, each: name, kind, whether it can be NULL
 *   long window start, long window end, int rows, the rows' words
 *   int strings, each: long place, text
 * </pre>
 */
public final class RowBlocks {
    private static final byte VERSION = 1;
    private static final int MOST_COLUMNS = 1 << 12;

    private RowBlocks() {}

    /**
     * Writes a batch. The caller keeps it.
     *
     * @param maxBytes of a block's rows, except for a single row that is larger; strings apart
     */
    public static List<byte[]> write(RowBatch batch, int maxBytes) {
        int most = Math.max(1, maxBytes / batch.layout().strideBytes());
        List<byte[]> blocks = new ArrayList<>();
        for (int from = 0; from < batch.rows(); from += most) {
            blocks.add(write(batch, from, Math.min(most, batch.rows() - from)));
        }
        return blocks;
    }

    private static byte[] write(RowBatch batch, int from, int rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            RowLayout layout = batch.layout();
            out.writeByte(VERSION);
            out.writeInt(layout.columns().size());
            for (Expr.Variable column : layout.columns()) {
                out.writeUTF(column.name());
                out.writeUTF(column.type().kind().name());
                out.writeBoolean(column.type().nullable());
            }
            out.writeLong(batch.windowStartNs());
            out.writeLong(batch.windowEndNs());
            out.writeInt(rows);
            Map<Long, String> strings = new LinkedHashMap<>();
            for (int row = from; row < from + rows; row++) {
                for (int at = 0; at < layout.strideBytes(); at += Long.BYTES) {
                    out.writeLong(Memory.getLong(batch.address(row) + at));
                }
                strings(batch, row, strings);
            }
            write(strings, out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void strings(RowBatch batch, int row, Map<Long, String> strings) {
        for (int c = 0; c < batch.layout().columns().size(); c++) {
            if (batch.layout().kind(c) == Kind.VARCHAR && !batch.isNull(row, c)) {
                strings.computeIfAbsent(batch.word(row, c), Symbols::text);
            }
        }
    }

    private static void write(Map<Long, String> strings, DataOutputStream out) throws IOException {
        out.writeInt(strings.size());
        for (Map.Entry<Long, String> string : strings.entrySet()) {
            out.writeLong(string.getKey());
            out.writeUTF(string.getValue());
        }
    }

    /**
     * Reads a block. The caller closes the batch.
     *
     * @param of the query of the rows
     * @param layouts of columns, for rows of equal columns the same
     * @throws WeirException MALFORMED_BYTES, OUT_OF_NATIVE_MEMORY
     */
    public static RowBatch read(
            byte[] block,
            Query of,
            Function<List<Expr.Variable>, RowLayout> layouts,
            NativeAllocator allocator) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(block))) {
            if (in.readByte() != VERSION) {
                throw BlockHeader.malformed("rows of another version");
            }
            RowLayout layout = layouts.apply(columns(in));
            long startNs = in.readLong();
            long endNs = in.readLong();
            int rows = in.readInt();
            if (rows < 0 || (long) rows * layout.strideBytes() > in.available()) {
                throw BlockHeader.malformed("its rows are cut");
            }
            RowBatch batch = new RowBatch(of, layout, startNs, endNs, rows, allocator);
            try {
                fill(batch, in);
                return batch;
            } catch (IOException | WeirException broken) {
                batch.close();
                throw broken;
            }
        } catch (IOException cut) {
            throw BlockHeader.malformed("it is cut");
        }
    }

    private static List<Expr.Variable> columns(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MOST_COLUMNS) {
            throw BlockHeader.malformed("it has " + count + " columns");
        }
        List<Expr.Variable> columns = new ArrayList<>();
        for (int c = 0; c < count; c++) {
            String name = in.readUTF();
            columns.add(Expr.Variable.column(name, new Type(kind(in.readUTF()), in.readBoolean())));
        }
        return columns;
    }

    private static Kind kind(String name) {
        for (Kind kind : Kind.values()) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        throw BlockHeader.malformed("it has columns of kind " + name);
    }

    private static void fill(RowBatch batch, DataInputStream in) throws IOException {
        int words = batch.layout().strideBytes() / Long.BYTES;
        for (int row = 0; row < batch.rows(); row++) {
            for (int w = 0; w < words; w++) {
                Memory.putLong(batch.address(row) + (long) w * Long.BYTES, in.readLong());
            }
        }
        Map<Long, Long> ours = new LinkedHashMap<>();
        for (int strings = in.readInt(); strings > 0; strings--) {
            long theirs = in.readLong();
            ours.put(theirs, (long) batch.texts().id(in.readUTF()));
        }
        for (int row = 0; row < batch.rows(); row++) {
            translate(batch, row, ours);
        }
    }

    private static void translate(RowBatch batch, int row, Map<Long, Long> ours) {
        for (int c = 0; c < batch.layout().columns().size(); c++) {
            if (batch.layout().kind(c) == Kind.VARCHAR && !batch.isNull(row, c)) {
                Long text = ours.get(batch.word(row, c));
                if (text == null) {
                    throw BlockHeader.malformed("it has no string " + batch.word(row, c));
                }
                Memory.putLong(batch.address(row) + batch.layout().offset(c), text);
            }
        }
    }
}

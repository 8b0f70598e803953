package io.weir.cluster.protocol.wire;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A block's header, checked against the block's length, and its three parts. */
record BlockHeader(boolean counted, ByteBuffer sections, ByteBuffer sketches, ByteBuffer symbols) {
    /**
     * @throws WeirException MALFORMED_BYTES; OTHER_VERSION if the writer had another layout
     */
    static BlockHeader read(byte[] bytes, StateForm form) {
        ByteBuffer block = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < BlockForm.HEADER_BYTES || block.getInt(0) != BlockForm.MAGIC) {
            throw malformed("it does not begin as a block of a partial does");
        }
        byte version = block.get(BlockForm.VERSION_AT);
        if (version != BlockForm.VERSION) {
            throw new WeirException(
                    ErrorCode.OTHER_VERSION,
                    "a partial in form "
                            + version
                            + " of Weir's; this one reads "
                            + BlockForm.VERSION,
                    "upgrade the process that reads it");
        }
        long fingerprint = block.getLong(BlockForm.FINGERPRINT_AT);
        if (fingerprint != form.fingerprint()) {
            throw new WeirException(
                    ErrorCode.OTHER_VERSION,
                    String.format(
                            "a partial of another version of %s: its state is %016x, not %016x",
                            form.code().query().name(), fingerprint, form.fingerprint()),
                    "it was made before the query was altered, or by another version of Weir");
        }
        return parts(block);
    }

    private static BlockHeader parts(ByteBuffer block) {
        int sections = block.getInt(BlockForm.SECTIONS_AT);
        int sketches = block.getInt(BlockForm.SKETCHES_AT);
        int symbols = block.getInt(BlockForm.SYMBOLS_AT);
        byte flags = block.get(BlockForm.FLAGS_AT);
        long all = (long) BlockForm.HEADER_BYTES + sections + sketches + symbols;
        boolean negative = (sections | sketches | symbols) < 0;
        if (negative || all != block.capacity() || (flags & ~BlockForm.FLAG_COUNTED) != 0) {
            throw malformed("its parts are not as long as it says");
        }
        return new BlockHeader(
                flags == BlockForm.FLAG_COUNTED,
                part(block, BlockForm.HEADER_BYTES, sections),
                part(block, BlockForm.HEADER_BYTES + sections, sketches),
                part(block, BlockForm.HEADER_BYTES + sections + sketches, symbols));
    }

    private static ByteBuffer part(ByteBuffer block, int at, int length) {
        return block.slice(at, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    static WeirException malformed(String why) {
        return new WeirException(
                ErrorCode.MALFORMED_BYTES, "bytes that are no block of a partial: " + why);
    }
}

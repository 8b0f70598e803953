package io.weir.cluster.protocol.wire;

import io.weir.operators.graph.SymbolSet;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Translates the strings of a block from the numbers of the process that wrote it to this one's.
 */
final class ForeignSymbols {
    private static final int LEAST_BYTES = Integer.BYTES + Short.BYTES;

    private final Map<Long, Long> ours = new HashMap<>();

    /**
     * @param strings keeps those of the block
     */
    ForeignSymbols(ByteBuffer bytes, SymbolSet strings) {
        while (bytes.hasRemaining()) {
            if (bytes.remaining() < LEAST_BYTES) {
                throw BlockHeader.malformed("a string is cut");
            }
            long id = bytes.getInt();
            int length = bytes.getShort() & 0xFFFF;
            if (length > bytes.remaining()) {
                throw BlockHeader.malformed("a string is cut");
            }
            ByteBuffer text = bytes.slice(bytes.position(), length);
            bytes.position(bytes.position() + length);
            ours.put(id, (long) strings.id(decoded(text)));
        }
    }

    private static String decoded(ByteBuffer text) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
        } catch (CharacterCodingException e) {
            throw BlockHeader.malformed("a string is not UTF-8");
        }
    }

    long translate(long id) {
        Long translated = ours.get(id);
        if (translated == null) {
            throw BlockHeader.malformed("it has no string " + id);
        }
        return translated;
    }
}

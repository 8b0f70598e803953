package io.weir.cluster.launcher;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads texts of queries from files. */
final class QuerySource {
    private static final long MAX_BYTES = 1 << 20;

    private QuerySource() {}

    static String read(Path file) {
        if (Files.isDirectory(file)) {
            throw unreadable(file, "is a directory");
        }
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw unreadable(file, "is over " + MAX_BYTES + " bytes long");
            }
            byte[] bytes = Files.readAllBytes(file);
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw unreadable(file, "is not UTF-8 text");
        } catch (IOException e) {
            boolean absent = !Files.exists(file);
            throw unreadable(file, absent ? "does not exist" : "cannot be read: " + e.getMessage());
        }
    }

    private static WeirException unreadable(Path file, String why) {
        return new WeirException(ErrorCode.UNREADABLE_INPUT, file + " " + why);
    }

    /** Returns the same error with the name of its file. */
    static WeirException in(Path file, WeirException error) {
        return new WeirException(
                error.code(),
                file + ": " + error.getMessage(),
                error.place().orElse(null),
                error.hint().orElse(null));
    }
}

package io.weir.cluster.security;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Reads secrets from a file or the environment, because everybody can see the command line. */
public final class Secrets {
    private static final int MOST_BYTES = 4096;

    private Secrets() {}

    /** Returns the file's first line, or else the variable's value; empty without either. */
    public static Optional<char[]> find(
            Map<String, String> environment, String variable, Optional<Path> file) {
        return file.map(Secrets::read)
                .or(() -> Optional.ofNullable(environment.get(variable)).map(String::toCharArray));
    }

    private static char[] read(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new WeirException(
                        ErrorCode.INVALID_OPTION, file + " is too long for a password");
            }
            String text = Files.readString(file, StandardCharsets.UTF_8);
            int end = text.indexOf('\n');
            return (end < 0 ? text : text.substring(0, end)).replace("\r", "").toCharArray();
        } catch (IOException e) {
            throw new WeirException(ErrorCode.INVALID_OPTION, file + " cannot be read");
        }
    }
}

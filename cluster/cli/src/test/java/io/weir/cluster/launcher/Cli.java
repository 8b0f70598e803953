package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.logging.Logging;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs of the command line in this process. */
public final class Cli {
    private static final Pattern OFFERED =
            Pattern.compile("\"stage\": \"capture\", \"offered\": (\\d+)");

    private Cli() {}

    public record Result(int code, String out, String err) {}

    public static Result run(String... arguments) {
        return run("", arguments);
    }

    static Result run(String in, String[] arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Result result = run(in, out, arguments);
        return new Result(result.code(), out.toString(StandardCharsets.UTF_8), result.err());
    }

    static Result run(String in, OutputStream out, String[] arguments) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        StandardStreams streams =
                new StandardStreams(
                        new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
                        out,
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        int code = Weir.execute(streams, arguments);
        Logging.end();
        return new Result(code, "", err.toString(StandardCharsets.UTF_8));
    }

    /** A disk that is full, or a pipe that nobody reads. */
    static OutputStream failing(String message) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(message);
            }
        };
    }

    /** Packets of the captures that were read, by an account of {@code --stats}. */
    static long offered(Path stats) throws IOException {
        Matcher offered = OFFERED.matcher(Files.readString(stats));
        assertTrue(offered.find());
        return Long.parseLong(offered.group(1));
    }
}

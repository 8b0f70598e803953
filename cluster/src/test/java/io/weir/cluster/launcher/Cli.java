package io.weir.cluster.launcher;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Runs of the command line in this process. */
public final class Cli {
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
        Streams streams =
                new Streams(
                        new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
                        out,
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        int code = Weir.execute(streams, arguments);
        return new Result(code, "", err.toString(StandardCharsets.UTF_8));
    }
}

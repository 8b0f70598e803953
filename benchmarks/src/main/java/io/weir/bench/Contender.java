package io.weir.bench;

import io.weir.bench.ResultHash.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A process that works on command, and waits in between. So several can be measured in turns, pass
 * by pass, on one core. Commands go to its stdin, a line each; it answers each with a line.
 */
final class Contender implements AutoCloseable {
    private final List<String> command;
    private final Process process;
    private final Writer in;
    private final BufferedReader out;

    private Contender(List<String> command, Process process) {
        this.command = command;
        this.process = process;
        in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts it; its stderr is this process's. */
    static Contender start(List<String> command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command);
            return new Contender(
                    command, builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
        } catch (IOException absent) {
            throw new UncheckedIOException(absent);
        }
    }

    /** Runs one pass of the variant. Returns its seconds of CPU time. */
    double pass(String variant) {
        return Long.parseLong(ask(variant)) / 1e9;
    }

    /** Returns the variant's rows as a hash. */
    Answer check(String variant) {
        return Answer.parse(ask("check " + variant));
    }

    private String ask(String line) {
        try {
            in.write(line + "\n");
            in.flush();
            String answer = out.readLine();
            if (answer != null) {
                return answer;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(String.join(" ", command), e);
        }
        throw new IllegalStateException(String.join(" ", command) + " has ended");
    }

    @Override
    public void close() {
        try {
            in.close();
            process.waitFor();
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

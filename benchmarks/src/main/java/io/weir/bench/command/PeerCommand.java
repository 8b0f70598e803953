package io.weir.bench.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Another program that reads a capture. If it is not installed, it says so and there is no figure.
 *
 * @param command with its arguments; without any there is no peer
 * @param folderOption is given a new folder for what it writes; empty if it needs none
 */
public record PeerCommand(List<String> command, String folderOption) {
    public static final PeerCommand NONE = new PeerCommand(List.of(), "");

    public PeerCommand {
        command = List.copyOf(command);
    }

    /** Copies the packets to nowhere: the least that a program does with a capture. */
    public static PeerCommand tcpdump(Path capture) {
        return new PeerCommand(List.of("tcpdump", "-w", "/dev/null", "-r", capture.toString()), "");
    }

    /** Groups the packets into flows, and writes these. */
    public static PeerCommand nfpcapd(Path capture) {
        return new PeerCommand(List.of("nfpcapd", "-r", capture.toString()), "-w");
    }

    public String name() {
        return command.isEmpty() ? "" : command.get(0);
    }

    /**
     * Runs it once.
     *
     * @return seconds from start to end; empty if it is not installed
     */
    public OptionalDouble seconds(Path scratch) throws IOException {
        if (command.isEmpty()) {
            return OptionalDouble.empty();
        }
        Path folder = Files.createTempDirectory(scratch, "peer");
        try {
            return run(folder);
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private OptionalDouble run(Path folder) throws IOException {
        List<String> all = new ArrayList<>(command);
        if (!folderOption.isEmpty()) {
            all.addAll(List.of(folderOption, folder.toString()));
        }
        ProcessBuilder builder = new ProcessBuilder(all);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        long startNs = System.nanoTime();
        try {
            int code = builder.start().waitFor();
            double seconds = (System.nanoTime() - startNs) / 1e9;
            if (code != 0) {
                throw new IllegalStateException(all + " exits " + code);
            }
            return OptionalDouble.of(seconds);
        } catch (IOException absent) {
            System.err.println("no peer: " + name() + " cannot be started");
            return OptionalDouble.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}

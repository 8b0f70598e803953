package io.weir.bench.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Watches the resident memory of a process in /proc, every 20 ms. The whole peak is the kernel's
 * own number and exact up to the last look. The process's own part is the greatest one seen.
 */
final class ProcessMemory implements AutoCloseable {
    private static final long INTERVAL_MS = 20;

    private final Path status;
    private final Thread watcher = new Thread(this::watch, "process-memory");
    private volatile boolean isClosed;
    private volatile long rssBytes;
    private volatile long rssOwnBytes;

    ProcessMemory(long pid) {
        status = Path.of("/proc", Long.toString(pid), "status");
        watcher.setDaemon(true);
        watcher.start();
    }

    long rssBytes() {
        return rssBytes;
    }

    long rssOwnBytes() {
        return rssOwnBytes;
    }

    private void watch() {
        try {
            while (!isClosed) {
                List<String> lines = Files.readAllLines(status);
                rssBytes = Math.max(rssBytes, bytes(lines, "VmHWM:"));
                rssOwnBytes = Math.max(rssOwnBytes, bytes(lines, "RssAnon:"));
                Thread.sleep(INTERVAL_MS);
            }
        } catch (IOException ended) {
            // The process is gone. The last values stay.
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static long bytes(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElse(0);
    }

    @Override
    public void close() {
        isClosed = true;
        watcher.interrupt();
    }
}

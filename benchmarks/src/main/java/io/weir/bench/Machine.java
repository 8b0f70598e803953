package io.weir.bench;

import io.weir.operators.memory.Prefetch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The machine, JVM and commit of a measurement. Cold; an unknown fact is "unknown". */
final class Machine {
    private static final String UNKNOWN = "unknown";

    private Machine() {}

    static Map<String, Object> describe(List<String> jvmFlags) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("cpu", fromFile(Path.of("/proc/cpuinfo"), "model name"));
        map.put("cores", output("nproc", "--all"));
        map.put("memory", fromFile(Path.of("/proc/meminfo"), "MemTotal"));
        map.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        map.put("load", fromFile(Path.of("/proc/loadavg"), ""));
        map.put("jvm", System.getProperty("java.vm.name") + " " + Runtime.version());
        map.put("jvm_flags", String.join(" ", jvmFlags));
        map.put("prefetch", Boolean.toString(Prefetch.NATIVE));
        map.put("native_compiler", output("g++", "--version"));
        return map;
    }

    /** Returns a line for documents: machine, JVM, commit. */
    static String line(Path home) {
        return String.format(
                "%s, %s, commit %s. ",
                fromFile(Path.of("/proc/cpuinfo"), "model name"),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                commit(home));
    }

    /** Returns the commit of the sources, with "-dirty" when files differ from it. */
    static String commit(Path home) {
        String commit = output("git", "-C", home.toString(), "rev-parse", "--short", "HEAD");
        boolean isDirty =
                !output("git", "-C", home.toString(), "status", "--porcelain", "-uno").isEmpty();
        return commit.equals(UNKNOWN) || !isDirty ? commit : commit + "-dirty";
    }

    /** Returns the first line of a program's output. */
    private static String output(String... command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String text =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean isDone = process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
            return isDone ? text.lines().findFirst().orElse("") : UNKNOWN;
        } catch (IOException absent) {
            return UNKNOWN;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }
    }

    private static String fromFile(Path file, String name) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException absent) {
            return UNKNOWN;
        }
    }
}

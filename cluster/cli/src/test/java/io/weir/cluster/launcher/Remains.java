package io.weir.cluster.launcher;

import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.testing.Await;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Tells what a command has left in this process: threads that were not there before, and native
 * memory. It is for commands that nothing else runs beside.
 */
final class Remains {
    /** Threads of the JDK, and of a broker's meters, that come when first needed and stay. */
    private static final Pattern STAYING =
            Pattern.compile(
                    "process reaper.*|Attach Listener|HttpClient-\\d+-.*|Java2D.*|C\\d"
                            + " Compiler.*|Signal Dispatcher|Keep-Alive-.*|.*Cleaner.*|SIG.*"
                            + " handler|metrics-meter-tick-thread.*|ForkJoinPool.*|CompletableFutureDelayScheduler|RMI"
                            + " .*|junit-.*");

    /** A thread that was told to end may need so long on a machine that does other things. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
    private final Map<MemoryTag, Long> memory = memory();

    /** Fails where a thread or native memory is left after the command. */
    void assertNone(String command) {
        Await.until(
                PATIENCE,
                () -> threads().isEmpty() && leaked().isEmpty(),
                () -> command + " leaves threads " + threads() + ", native memory " + leaked());
    }

    private List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> !STAYING.matcher(name).matches())
                .sorted()
                .toList();
    }

    private Map<MemoryTag, Long> leaked() {
        Map<MemoryTag, Long> leaked = memory();
        leaked.replaceAll((tag, bytes) -> bytes - memory.get(tag));
        leaked.values().removeIf(bytes -> bytes <= 0);
        return leaked;
    }

    private static Map<MemoryTag, Long> memory() {
        Map<MemoryTag, Long> inUse = new TreeMap<>();
        Arrays.stream(MemoryTag.values())
                .forEach(tag -> inUse.put(tag, NativeAllocator.usedByAllBytes(tag)));
        return inUse;
    }
}

package io.weir.operators.memory;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * After each test, and after each class of tests, no more native memory is in use than before it,
 * whichever allocators there were. Registered for all tests of all modules.
 */
public final class LeakCheck
        implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(LeakCheck.class);

    /** Threads that a test has told to stop free what they hold within this time. */
    private static final long PATIENCE_NS = 5_000_000_000L;

    private static volatile String watched = "";

    /** The test that is being watched, by its name; empty when the check is not registered. */
    static String watched() {
        return watched;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        remember(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        watched = context.getDisplayName();
        remember(context);
    }

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        check(context);
    }

    @Override
    public void afterAll(ExtensionContext context) throws InterruptedException {
        check(context);
    }

    private static void remember(ExtensionContext context) {
        context.getStore(NAMESPACE).put(context.getUniqueId(), inUse());
    }

    private static Map<MemoryTag, Long> inUse() {
        Map<MemoryTag, Long> inUse = new EnumMap<>(MemoryTag.class);
        for (MemoryTag tag : MemoryTag.values()) {
            inUse.put(tag, NativeAllocator.usedByAllBytes(tag));
        }
        return inUse;
    }

    private static void check(ExtensionContext context) throws InterruptedException {
        Object stored = context.getStore(NAMESPACE).get(context.getUniqueId());
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!leaked(stored).isEmpty() && System.nanoTime() < deadlineNs) {
            Thread.sleep(5);
        }
        Map<MemoryTag, Long> leaked = leaked(stored);
        // A test that failed has said why; that it did not clean up then is no news.
        if (!leaked.isEmpty() && context.getExecutionException().isEmpty()) {
            throw new AssertionError(
                    context.getDisplayName() + " leaks native memory, in bytes: " + leaked);
        }
    }

    private static Map<MemoryTag, Long> leaked(Object before) {
        Map<MemoryTag, Long> leaked = inUse();
        leaked.replaceAll((tag, bytes) -> bytes - (Long) ((Map<?, ?>) before).get(tag));
        leaked.values().removeIf(bytes -> bytes <= 0);
        return leaked;
    }
}

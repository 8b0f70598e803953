package io.weir.cluster.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.demo.Stopping;
import io.weir.cluster.launcher.ExitCode;
import io.weir.cluster.launcher.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What is left of a command's own directory, however it ends. */
class ProcessHomeTest {
    private final Stopping stopping = new Stopping();
    private final AtomicReference<Path> made = new AtomicReference<>();

    private int run(ProcessHome.Task task) throws Exception {
        return new ProcessHome()
                .run(
                        "weir-home-test-",
                        (home, stop) -> {
                            made.set(home);
                            Files.writeString(home.resolve("a.log"), "said");
                            task.in(home, stop);
                        },
                        stopping);
    }

    @Test
    void whatWentWellLeavesNothing() throws Exception {
        assertEquals(ExitCode.OK, run((home, stop) -> stop.check()));
        assertFalse(Files.exists(made.get()));
    }

    /** Something below the task has swallowed the interrupt. */
    @Test
    void anInterruptThatWasSwallowedStopsItAllTheSame() throws Exception {
        int code =
                run(
                        (home, stop) -> {
                            stop.ask(Thread.currentThread());
                            assertTrue(Thread.interrupted());
                            stop.check();
                            throw new AssertionError("it went on");
                        });
        assertEquals(ExitCode.FAILED, code);
        assertFalse(Files.exists(made.get()));
    }

    /** A connection that breaks because its thread was interrupted is no error of the command. */
    @Test
    void whatFailsWhileItIsStoppedIsNoError() throws Exception {
        int code =
                run(
                        (home, stop) -> {
                            stop.ask(Thread.currentThread());
                            assertTrue(Thread.interrupted());
                            throw new IllegalStateException("the connection is gone");
                        });
        assertEquals(ExitCode.FAILED, code);
        assertFalse(Files.exists(made.get()));
    }

    @Test
    void whatWentWrongIsLeftToBeLookedAt() throws Exception {
        assertThrows(
                IllegalStateException.class,
                () ->
                        run(
                                (home, stop) -> {
                                    throw new IllegalStateException("wrong");
                                }));
        assertTrue(Files.exists(made.get().resolve("a.log")));
        Trees.delete(made.get());
    }
}

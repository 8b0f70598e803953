package io.weir.cluster.faults;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs programs of the machine. */
public final class Shell {
    private Shell() {}

    /** Runs it to its end. A failure is an error with its words. */
    static String run(String... command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new WeirException(
                        ErrorCode.INTERNAL,
                        String.join(" ", List.of(command)) + " ends with " + code,
                        said.strip());
            }
            return said;
        } catch (IOException e) {
            throw new WeirException(ErrorCode.INTERNAL, command[0] + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WeirException(ErrorCode.INTERNAL, command[0] + " was interrupted");
        }
    }

    /** Does the same to clean up, where a failure does not matter. */
    static boolean tryTo(String... command) {
        try {
            run(command);
            return true;
        } catch (WeirException e) {
            return false;
        }
    }

    /** Uses the shell's own kill, because not every machine has the program of that name. */
    public static void signal(String signal, long pid) {
        run("sh", "-c", "kill -" + signal + " " + pid);
    }
}

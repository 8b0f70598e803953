package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Picocli looks at the methods of all commands, also where the broker's classes are not there. */
class CommandsWithoutBrokerTest {
    @Test
    void noMethodOfACommandNamesTheBroker() {
        check(ConfigFileTest.line());
    }

    private static void check(CommandLine line) {
        for (Method method : line.getCommandSpec().userObject().getClass().getDeclaredMethods()) {
            Stream.concat(
                            Stream.of(method.getReturnType()),
                            Arrays.stream(method.getParameterTypes()))
                    .forEach(type -> assertFalse(isOfBroker(type), method.toString()));
        }
        line.getSubcommands().values().forEach(CommandsWithoutBrokerTest::check);
    }

    private static boolean isOfBroker(Class<?> type) {
        return type.getName().startsWith("io.weir.cluster.broker.");
    }
}

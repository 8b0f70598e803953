package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Picocli looks at the methods of all commands, also where the broker's classes are not there. */
class CommandsWithoutBrokerTest {
    @Test
    void noMethodOfACommandNamesTheBroker() {
        for (Class<?> command : new Class<?>[] {BrokerCommand.class, UpCommand.class}) {
            for (Method method : command.getDeclaredMethods()) {
                Stream.concat(
                                Stream.of(method.getReturnType()),
                                Arrays.stream(method.getParameterTypes()))
                        .forEach(type -> assertFalse(isOfBroker(type), method.toString()));
            }
        }
    }

    private static boolean isOfBroker(Class<?> type) {
        return type.getName().startsWith("io.weir.cluster.broker.");
    }
}

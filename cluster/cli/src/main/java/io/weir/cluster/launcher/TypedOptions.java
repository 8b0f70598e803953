package io.weir.cluster.launcher;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Finds typed options that have no effect. They are an error, so that none is ignored. It also adds
 * an option's name to errors that lack it.
 */
final class TypedOptions {
    private TypedOptions() {}

    /**
     * Fails if one of these was typed.
     *
     * @param command that runs
     * @param options an object with options, as the command has it
     * @param why the rest of the sentence
     */
    static void checkNone(CommandSpec command, Object options, String why, String hint) {
        anyOf(command, CommandSpec.forAnnotatedObject(options).optionsMap().keySet())
                .ifPresent(name -> fail(name, why, hint));
    }

    /** Fails if this option was typed. */
    static void checkNone(CommandSpec command, String option, String why, String hint) {
        if (is(command, option)) {
            fail(option, why, hint);
        }
    }

    /**
     * Reads the value of an option.
     *
     * @throws WeirException whose message names the option
     */
    static <T> T named(String option, Supplier<T> value) {
        try {
            return value.get();
        } catch (WeirException e) {
            throw e.code() == ErrorCode.INVALID_OPTION && !e.getMessage().contains(option)
                    ? new WeirException(
                            e.code(), option + ": " + e.getMessage(), e.hint().orElse(null))
                    : e;
        }
    }

    private static Optional<String> anyOf(CommandSpec command, Iterable<String> options) {
        for (String option : options) {
            if (is(command, option)) {
                return Optional.of(option);
            }
        }
        return Optional.empty();
    }

    static boolean is(CommandSpec command, String option) {
        return command.commandLine().getParseResult().hasMatchedOption(option);
    }

    private static void fail(String option, String why, String hint) {
        throw new WeirException(ErrorCode.INVALID_OPTION, option + " " + why, hint);
    }
}

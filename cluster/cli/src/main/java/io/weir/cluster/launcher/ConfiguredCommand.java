package io.weir.cluster.launcher;

import io.weir.operators.error.WeirException;

/** A command whose options may come from a configuration file. */
interface ConfiguredCommand {
    /**
     * Checks the values of the options, and starts nothing.
     *
     * @throws WeirException for the first wrong one
     */
    void check();
}

package io.weir.operators.merge;

/**
 * A record that a {@link MergeJournal} has kept and that cannot be read, as far as is known what it
 * was of.
 */
public sealed interface KeptUnread {
    /** For people. */
    String about();

    /** Of an activation. */
    sealed interface OfActivation extends KeptUnread {
        ActivationId activation();
    }

    /** A part of a window that waited. */
    record Window(ActivationId activation, long endNs) implements OfActivation {
        @Override
        public String about() {
            return "a part of a window of " + activation.query();
        }
    }

    /** How far an activation had come. */
    record Mark(ActivationId activation) implements OfActivation {
        @Override
        public String about() {
            return "how far " + activation.query() + " had come";
        }
    }

    /** Some of an activation's totals. */
    record Totals(ActivationId activation) implements OfActivation {
        @Override
        public String about() {
            return "totals of " + activation.query();
        }
    }

    /** Rows that a query over rows had read. */
    record Rows(MergeJournal.ReaderId reader) implements KeptUnread {
        @Override
        public String about() {
            return "rows that " + reader.query() + " had read";
        }
    }

    /** Of which nothing follows for a window that is known. */
    record Other(String about) implements KeptUnread {}
}

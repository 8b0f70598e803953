package io.weir.cluster.protocol;

/** A record of a {@link MergeJournal} that cannot be read, with its known subject. */
public sealed interface UnreadableRecord {
    /** Returns a text for people. */
    String about();

    /** A record of an activation. */
    sealed interface OfActivation extends UnreadableRecord {
        ActivationId activation();
    }

    /** A part of a waiting window. */
    record Window(ActivationId activation, long endNs) implements OfActivation {
        @Override
        public String about() {
            return "a part of a window of " + activation.query();
        }
    }

    /** The progress of an activation. */
    record Mark(ActivationId activation) implements OfActivation {
        @Override
        public String about() {
            return "how far " + activation.query() + " had come";
        }
    }

    /** A part of an activation's totals. */
    record Totals(ActivationId activation) implements OfActivation {
        @Override
        public String about() {
            return "totals of " + activation.query();
        }
    }

    /** Rows that a query over rows had read. */
    record Rows(MergeJournal.ReaderId reader) implements UnreadableRecord {
        @Override
        public String about() {
            return "rows that " + reader.query() + " had read";
        }
    }

    /** A record that no known window depends on. */
    record Other(String about) implements UnreadableRecord {}
}

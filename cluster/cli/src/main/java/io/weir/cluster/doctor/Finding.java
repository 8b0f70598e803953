package io.weir.cluster.doctor;

/**
 * The finding on one stage.
 *
 * @param stage in the order of a packet's and a query's way
 * @param about one line
 * @param remedy the next action; empty without one
 */
public record Finding(State state, String stage, String about, String remedy) {
    /** The state of a stage. */
    public enum State {
        /** As it should be. */
        OK,
        /** It works, and could be better. */
        NOTE,
        /** It does not work. */
        BROKEN,
        /** It was not checked, since a stage that it needs is broken. */
        SKIPPED
    }

    static String queries(int count) {
        return count == 1 ? "1 query" : count + " queries";
    }

    public static Finding ok(String stage, String about) {
        return new Finding(State.OK, stage, about, "");
    }

    static Finding note(String stage, String about, String remedy) {
        return new Finding(State.NOTE, stage, about, remedy);
    }

    public static Finding broken(String stage, String about, String remedy) {
        return new Finding(State.BROKEN, stage, about, remedy);
    }

    static Finding skipped(String stage, String why) {
        return new Finding(State.SKIPPED, stage, why, "");
    }

    public boolean isBroken() {
        return state == State.BROKEN;
    }
}

package io.weir.cluster.doctor;

/**
 * What was found of one stage.
 *
 * @param stage in the order of a packet's and a query's way
 * @param about one line
 * @param remedy what to do; empty where nothing is to be done
 */
public record Finding(State state, String stage, String about, String remedy) {
    /** How a stage is. */
    public enum State {
        /** As it should be. */
        OK,
        /** It works, and could be better. */
        NOTE,
        /** It does not work. */
        BROKEN,
        /** It was not looked at, since one that it needs is broken. */
        SKIPPED
    }

    static String queries(int count) {
        return count == 1 ? "1 query" : count + " queries";
    }

    static Finding ok(String stage, String about) {
        return new Finding(State.OK, stage, about, "");
    }

    static Finding note(String stage, String about, String remedy) {
        return new Finding(State.NOTE, stage, about, remedy);
    }

    static Finding broken(String stage, String about, String remedy) {
        return new Finding(State.BROKEN, stage, about, remedy);
    }

    static Finding skipped(String stage, String why) {
        return new Finding(State.SKIPPED, stage, why, "");
    }

    public boolean isBroken() {
        return state == State.BROKEN;
    }
}

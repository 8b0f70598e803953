package io.weir.ingest.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Tells a user which packets windows left out for their time stamps, and which option would have
 * counted them.
 */
public final class TimeNote {
    private static final long MS_NS = 1_000_000L;
    private static final long SECOND_NS = 1_000 * MS_NS;
    private static final long MINUTE_NS = 60 * SECOND_NS;
    private static final long HOUR_NS = 60 * MINUTE_NS;
    private static final long DAY_NS = 24 * HOUR_NS;

    /** The begin of each sentence. */
    public static final String BEGINNING = "windows left out ";

    private TimeNote() {}

    /** Returns one sentence for each kind; none if nothing was left out. */
    public static List<String> of(TimeMetrics times, long latenessNs) {
        List<String> notes = new ArrayList<>();
        String remedy =
                "; --lateness "
                        + duration(times.enoughNs(latenessNs))
                        + " would have counted "
                        + (times.late() + times.future() == 1 ? "it" : "them");
        long live = times.futureOfLive();
        long jumped = times.future() - live;
        if (times.late() > 0) {
            notes.add(
                    leftOut(times.late(), "late by up to " + duration(times.mostLateNs()))
                            + (live > 0 ? "" : remedy));
        }
        if (jumped > 0) {
            String ahead = duration(times.mostFutureNs());
            String what = "stamped up to " + ahead + " ahead of the packets around them";
            notes.add(leftOut(jumped, what) + (live > 0 ? "" : remedy));
        }
        if (live > 0) {
            notes.add(
                    leftOut(live, "stamped more than 10s ahead of this machine's clock")
                            + ", by up to "
                            + duration(times.mostFutureNs())
                            + "; set the clock of the machine that stamps them");
        }
        return notes;
    }

    private static String leftOut(long packets, String why) {
        return String.format(
                Locale.ROOT,
                BEGINNING + "%,d %s %s",
                packets,
                packets == 1 ? "packet that was" : "packets that were",
                why);
    }

    /** Returns the duration as the option takes it, rounded up to a few digits. */
    static String duration(long ns) {
        if (ns < 2 * SECOND_NS) {
            return upTo(ns, MS_NS, "ms");
        } else if (ns < 2 * MINUTE_NS) {
            return upTo(ns, SECOND_NS, "s");
        } else if (ns < 2 * HOUR_NS) {
            return upTo(ns, MINUTE_NS, "m");
        }
        long minutes = -Math.floorDiv(-ns, MINUTE_NS);
        return ns < 2 * DAY_NS ? minutes / 60 + "h" + minutes % 60 + "m" : upTo(ns, DAY_NS, "d");
    }

    private static String upTo(long ns, long unitNs, String unit) {
        return -Math.floorDiv(-ns, unitNs) + unit;
    }
}

package io.weir.operators.result;

import io.weir.operators.kernel.Partial;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The windows of a {@link WindowMerger}, by their ends. The results' thread only. */
final class WaitingWindows {
    private final TreeMap<Long, WaitingWindow> windows = new TreeMap<>();

    /** Returns null if it does not wait. */
    WaitingWindow find(long endNs) {
        return windows.get(endNs);
    }

    /** Adds a window for its takers. Returns null if it has none. */
    WaitingWindow add(long startNs, long endNs, List<RowMaker> members) {
        WaitingWindow waiting = new WaitingWindow(startNs, endNs);
        members.stream().filter(m -> m.wants(startNs)).forEach(waiting.takers::add);
        if (waiting.takers.isEmpty()) {
            return null;
        }
        windows.put(endNs, waiting);
        return waiting;
    }

    /** Returns the ends of windows after a time and up to another, in order. */
    List<Long> endsWithin(long afterNs, long toNs) {
        return new ArrayList<>(windows.subMap(afterNs, false, toNs, true).keySet());
    }

    /** Returns the earliest window that the member has not taken; or null. */
    WaitingWindow first(RowMaker member) {
        for (WaitingWindow waiting : windows.values()) {
            if (waiting.takers.contains(member)) {
                return waiting;
            }
        }
        return null;
    }

    /** Notes that a member has taken a window. The last one frees it. */
    void taken(WaitingWindow waiting, RowMaker member) {
        if (waiting.takers.remove(member) && waiting.takers.isEmpty()) {
            windows.remove(waiting.endNs);
            waiting.parts().forEach(Partial::close);
        }
    }

    void takenAll(RowMaker member) {
        List.copyOf(windows.values()).forEach(waiting -> taken(waiting, member));
    }

    /** Frees the windows without a result. */
    void clear() {
        windows.values().forEach(waiting -> waiting.parts().forEach(Partial::close));
        windows.clear();
    }
}

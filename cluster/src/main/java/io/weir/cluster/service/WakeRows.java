package io.weir.cluster.service;

import io.weir.cluster.sink.TimeText;
import io.weir.cluster.trigger.WakeLog;
import java.util.List;

/** SHOW EVENTS of a cluster: which WHENs fired of late. */
final class WakeRows {
    private WakeRows() {}

    static List<List<String>> of(List<WakeLog.Woken> wakes) {
        return wakes.stream().map(WakeRows::row).toList();
    }

    private static List<String> row(WakeLog.Woken wake) {
        String about =
                wake.untilNs() == Long.MAX_VALUE
                        ? "until a row ends it"
                        : "until " + TimeText.of(wake.untilNs());
        return List.of("wakes", wake.query(), TimeText.of(wake.fromNs()), about);
    }
}

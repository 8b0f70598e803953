package io.weir.cluster.metrics;

import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import java.util.Arrays;

/** Reports an account, stage by stage: the packets offered to each, and their outcome. */
public final class StageMeter implements Meter {
    private static final String HELP = "Packets, or what the stage's name says, of the account";

    private final Account account;
    private final String[] labels;

    /**
     * @param labels of all its stages, besides their names: names and values in turn
     */
    public StageMeter(Account account, String... labels) {
        this.account = account;
        this.labels = labels.clone();
    }

    @Override
    public void read(Readings out) {
        account.snapshot().forEach(stage -> read(stage, out, labels));
    }

    /** Reports one stage, whoever counts for it. */
    public static void read(Stage.Snapshot stage, Readings out, String... labels) {
        String[] of = with(labels, "stage", stage.stage());
        out.counter("weir_stage_offered", HELP, stage.offered(), of);
        out.counter("weir_stage_processed", HELP, stage.processed(), of);
        stage.lost().forEach((why, n) -> out.counter("weir_stage_lost", HELP, n, reason(of, why)));
        stage.excluded()
                .forEach((why, n) -> out.counter("weir_stage_excluded", HELP, n, reason(of, why)));
        stage.inPart()
                .forEach((why, n) -> out.counter("weir_stage_in_part", HELP, n, reason(of, why)));
    }

    private static String[] reason(String[] labels, String why) {
        return with(labels, "reason", why);
    }

    private static String[] with(String[] labels, String name, String value) {
        String[] more = Arrays.copyOf(labels, labels.length + 2);
        more[labels.length] = name;
        more[labels.length + 1] = value;
        return more;
    }
}

package io.weir.operators.account;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The ledger of a run: its stages in the order in which a packet meets them. A part of it is a
 * ledger of its own, whose pages are also pages of the whole. Any thread.
 */
public final class Account {
    private final List<Stage> stages = new ArrayList<>();

    /** The sums of parts that are closed, by the names of their pages. */
    private final Map<String, Stage> sums = new HashMap<>();

    private final Optional<Account> whole;

    public Account() {
        this(Optional.empty());
    }

    private Account(Optional<Account> whole) {
        this.whole = whole;
    }

    /** Adds a page at the end of the ledger. Snapshots add pages of the same name up. */
    public Stage stage(String name) {
        Stage stage = new Stage(name);
        add(stage);
        return stage;
    }

    /** Adds a page that is there already at the end of the ledger. */
    public void add(Stage stage) {
        synchronized (this) {
            stages.add(stage);
        }
        whole.ifPresent(of -> of.add(stage));
    }

    /** Makes a part, for one that may come again and again. {@link #closePages} keeps it small. */
    public Account part() {
        return new Account(Optional.of(this));
    }

    /** Adds all pages of one name up in one page each. Nobody writes to them any more. */
    public void closePages() {
        for (Stage closed : pages()) {
            replace(closed);
        }
    }

    private synchronized List<Stage> pages() {
        return List.copyOf(stages);
    }

    private synchronized void replace(Stage closed) {
        Stage sum = sums.putIfAbsent(closed.name(), closed);
        if (sum != null && sum != closed) {
            stages.remove(closed);
            whole.ifPresentOrElse(of -> of.join(sum, closed), () -> sum.add(closed.snapshot()));
        }
    }

    /** No snapshot has the counts twice. */
    private synchronized void join(Stage sum, Stage closed) {
        sum.add(closed.snapshot());
        stages.remove(closed);
    }

    /** Takes pages out, of one that has ended and that nobody asks for any more. */
    public synchronized void forget(Predicate<String> names) {
        stages.removeIf(stage -> names.test(stage.name()));
    }

    /** One snapshot for each name, in the order of the names' first stages. */
    public synchronized List<Stage.Snapshot> snapshot() {
        Map<String, Stage.Snapshot> byName = new LinkedHashMap<>();
        for (Stage stage : stages) {
            byName.merge(stage.name(), stage.snapshot(), Stage.Snapshot::plus);
        }
        return new ArrayList<>(byName.values());
    }

    /** Returns whether every stage's invariant holds. All threads must be at rest. */
    public boolean isBalanced() {
        return snapshot().stream().allMatch(Stage.Snapshot::isBalanced);
    }
}

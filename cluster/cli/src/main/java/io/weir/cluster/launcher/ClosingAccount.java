package io.weir.cluster.launcher;

import io.weir.cluster.node.AccountTable;
import io.weir.cluster.sink.TextOut;
import io.weir.cluster.sink.TextTable;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.List;

/** The account of every packet, which a command prints at its end. */
final class ClosingAccount {
    /** The columns that are numbers. */
    private static final List<Boolean> NUMBERS = List.of(false, true, true, false, false, false);

    private ClosingAccount() {}

    static void print(StandardStreams streams, List<String> notes, List<Stage.Snapshot> stages) {
        notes.forEach(note -> streams.err().println("note: " + note));
        TextOut err = new TextOut(streams.err());
        TextTable.print(err, AccountTable.HEADINGS, NUMBERS, AccountTable.rows(stages));
    }

    /** Fails if packets are missing from the account: a fault of Weir's own. */
    static void check(boolean balanced) {
        if (!balanced) {
            throw new WeirException(ErrorCode.INTERNAL, "the account does not balance");
        }
    }
}

package io.weir.cluster.node;

import io.weir.cluster.table.TableFolders;
import io.weir.cluster.table.TableLine;
import io.weir.cluster.table.TableStore;
import io.weir.operators.time.Clock;
import io.weir.sql.Statement;

/** Runs the statements about lookup tables on a node. Thread-safe. */
final class NodeTables {
    private final TableStore store;

    NodeTables(TableFolders folders) {
        store = new TableStore(folders, Clock.SYSTEM);
    }

    TableStore store() {
        return store;
    }

    static boolean isOne(Statement statement) {
        return statement instanceof Statement.CreateTable
                || statement instanceof Statement.DropTable;
    }

    /** Runs CREATE TABLE or DROP TABLE. */
    void change(Statement statement) {
        if (statement instanceof Statement.CreateTable create) {
            store.create(create.spec(), create.table());
        } else if (statement instanceof Statement.DropTable drop) {
            store.drop(drop.name());
        }
    }

    /** Answers SHOW TABLES. */
    Answer.Texts shown() {
        return new Answer.Texts(
                TableLine.HEADINGS,
                TableLine.NUMBERS,
                () -> store.lines().stream().map(TableLine::row).toList());
    }
}

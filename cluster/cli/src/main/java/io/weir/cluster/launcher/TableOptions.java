package io.weir.cluster.launcher;

import io.weir.cluster.table.TableFolders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option for the folders of lookup tables. */
final class TableOptions {
    @Option(
            names = "--tables",
            split = ",",
            paramLabel = "FOLDER",
            description = {
                "Folders with the files that CREATE TABLE may read. Without it, weir run and sql"
                        + " read those of the present folder, and a server or worker none."
            })
    private List<Path> folders = new ArrayList<>();

    /** Returns the folders of a service. */
    TableFolders given() {
        TableFolders given = new TableFolders(folders);
        given.check();
        return given;
    }

    /** Returns the folders of a user's own process. */
    TableFolders local() {
        return folders.isEmpty() ? new TableFolders(List.of(Path.of(""))) : given();
    }
}

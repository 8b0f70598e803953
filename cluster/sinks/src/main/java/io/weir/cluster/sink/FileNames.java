package io.weir.cluster.sink;

import java.nio.file.Path;

/** The names of the files of a query's rows. */
final class FileNames {
    /** The end of the name of a file that is being written. */
    static final String PART = ".part";

    private FileNames() {}

    /** Returns the begin of the names of a query's files. A quoted name may have any characters. */
    static String stem(String query) {
        return query.replaceAll("[^\\w.-]", "_") + "-";
    }

    /** Returns the name of a file while it is being written. */
    static Path part(Path whole) {
        return whole.resolveSibling(whole.getFileName() + PART);
    }
}

package io.weir.cluster.table;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;

/** Errors in files of lookup tables. */
final class TableFault {
    private TableFault() {}

    static WeirException at(String file, int line, String problem) {
        return of(file + ", line " + line + ": " + problem);
    }

    static WeirException of(String problem) {
        return of(problem, null);
    }

    static WeirException of(String problem, String hint) {
        return new WeirException(ErrorCode.UNREADABLE_INPUT, problem, hint);
    }
}

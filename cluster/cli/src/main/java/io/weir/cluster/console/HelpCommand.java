package io.weir.cluster.console;

import java.util.List;
import sqlline.AbstractCommandHandler;
import sqlline.CommandHandler;
import sqlline.DispatchCallback;
import sqlline.SqlLine;

/**
 * {@code !help}: shows the possible input on one screen. With an argument it is sqlline's own help.
 */
final class HelpCommand extends AbstractCommandHandler {
    static final String TEXT =
            """
            Statements end with ; and may span lines:
              SELECT … FROM packets …;           rows as windows close; Ctrl-C ends it
              CREATE [OR REPLACE] QUERY name AS SELECT … [WHEN …];
              SELECT … FROM name …;              the last window of a query
              SUBSCRIBE name;                    all its rows
              DROP QUERY [IF EXISTS] name;       PAUSE QUERY name;  RESUME QUERY name;
              CREATE AGGREGATE name(x type) STATE … UPDATE … RETURN …;
              SHOW QUERIES | STREAMS | FUNCTIONS | AGGREGATES;    DESCRIBE name;
              EXPLAIN [(KERNEL)] SELECT …;       the plan, or the generated code
              EXPLAIN ANALYZE name;              the plan of a query, and its cost
              TEST QUERY name | SELECT … ON 'file.pcap' EXPECT 'rows.csv';
              SHOW ACCOUNT;                      packets of the last run, or of each worker
              SHOW QUERY COST;                   rows/s, ns a packet, state of each query
              SHOW LOSS;                         packets lost or left out, and remedies
              SHOW EVENTS;                       WHENs that fired and ended in it, and notes
              SHOW SOURCES;                      of one machine: state, rate, losses, lag
              SHOW BINDINGS;                     keys that a WHEN with values counts now
              CREATE SOURCE name WITH (uri = '…'); DROP SOURCE name;
              CREATE TABLE name WITH (file = '…', key = '…'); DROP TABLE name; SHOW TABLES;
              SHOW WORKERS;                      of a cluster: who counts, sends, is missing
              SHOW AUDIT;                        who asked what of late
              SELECT … FROM sys.queries …;       any of these lists, as a table
            Commands of the console:
              !outputformat table|vertical|csv|json    !run FILE    !record FILE    !quit
              !help all lists the rest, !help NAME explains one
            docs/SQL.md describes the language.""";

    private final CommandHandler standard;

    HelpCommand(SqlLine line, CommandHandler standard) {
        super(line, new String[] {"help", "?"}, standard.getHelpText(), List.of());
        this.standard = standard;
    }

    @Override
    public void execute(String line, DispatchCallback callback) {
        String[] words = line.strip().split("\\s+", 2);
        if (words.length == 1) {
            sqlLine.output(TEXT);
            callback.setToSuccess();
        } else {
            standard.execute(words[1].equals("all") ? "help" : line, callback);
        }
    }
}

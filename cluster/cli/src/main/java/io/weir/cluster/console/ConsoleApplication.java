package io.weir.cluster.console;

import io.weir.cluster.server.WeirDriver;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import sqlline.Application;
import sqlline.CommandHandler;
import sqlline.SqlLine;
import sqlline.SqlLineOpts;

/** Gives sqlline its greeting and its only driver. sqlline creates it by name. */
public final class ConsoleApplication extends Application {
    static final String GREETING =
            """
            Weir: SQL over packets. Statements end with ; and help shows the commands.
            To try:
              DESCRIBE packets;
              SELECT src_addr, COUNT(*) AS packets FROM packets
              GROUP BY src_addr ORDER BY packets DESC LIMIT 5;""";

    /** Commands of sqlline that cut or keep statements by its own rules. */
    private static final Set<String> CUTTING = Set.of("all", "call", "script", "sql");

    @Override
    public String getInfoMessage() {
        return GREETING;
    }

    /** sqlline makes new options when it takes this application, so they are set here. */
    @Override
    public SqlLineOpts getOpts(SqlLine sqlLine) {
        SqlLineOpts options = new SqlLineOpts(sqlLine);
        ConsoleOptions.all()
                .forEach((option, value) -> options.set(option.propertyName(), value, true));
        return options;
    }

    @Override
    public Collection<CommandHandler> getCommandHandlers(SqlLine sqlLine) {
        return offered(super.getCommandHandlers(sqlLine)).stream()
                .map(handler -> ours(sqlLine, handler))
                .toList();
    }

    /** Returns the commands of sqlline that leave statements whole. */
    static List<CommandHandler> offered(Collection<CommandHandler> handlers) {
        return handlers.stream().filter(handler -> !CUTTING.contains(handler.getName())).toList();
    }

    private static CommandHandler ours(SqlLine sqlLine, CommandHandler handler) {
        return switch (handler.getName()) {
            case "help" -> new HelpCommand(sqlLine, handler);
            case "run" -> new RunCommand((ConsoleLine) sqlLine, handler);
            default -> handler;
        };
    }

    @Override
    public List<String> allowedDrivers() {
        return List.of(WeirDriver.class.getName());
    }
}

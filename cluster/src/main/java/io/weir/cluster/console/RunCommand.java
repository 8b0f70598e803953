package io.weir.cluster.console;

import sqlline.AbstractCommandHandler;
import sqlline.CommandHandler;
import sqlline.DispatchCallback;
import sqlline.SqlLine;

/**
 * {@code !run FILE}: reads it as a script is read; sqlline's own joins lines that end by
 * themselves.
 */
final class RunCommand extends AbstractCommandHandler {
    private final CommandHandler standard;

    RunCommand(SqlLine line, CommandHandler standard) {
        super(
                line,
                new String[] {"run"},
                standard.getHelpText(),
                standard.getParameterCompleters());
        this.standard = standard;
    }

    @Override
    public void execute(String line, DispatchCallback callback) {
        String command = "!" + line.strip();
        if (!command.matches("!run\\s.*")) {
            standard.execute(line, callback); // says how it is used
        } else if (new Script(sqlLine, () -> callback).run(command)) {
            callback.setToSuccess();
        } else if (!callback.isCanceled()) {
            callback.setToFailure();
        }
    }
}

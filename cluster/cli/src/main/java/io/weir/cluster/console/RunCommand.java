package io.weir.cluster.console;

import sqlline.AbstractCommandHandler;
import sqlline.CommandHandler;
import sqlline.DispatchCallback;

/**
 * {@code !run FILE}: reads a file as a script. sqlline's own command joins lines that are whole.
 */
final class RunCommand extends AbstractCommandHandler {
    private final ConsoleLine console;
    private final CommandHandler standard;

    RunCommand(ConsoleLine line, CommandHandler standard) {
        super(
                line,
                new String[] {"run"},
                standard.getHelpText(),
                standard.getParameterCompleters());
        console = line;
        this.standard = standard;
    }

    @Override
    public void execute(String line, DispatchCallback callback) {
        String command = "!" + line.strip();
        if (!command.matches("!run\\s.*")) {
            standard.execute(line, callback); // shows how it is used
        } else if (new Script(console, () -> callback).run(command)) {
            callback.setToSuccess();
        } else if (!callback.isCanceled()) {
            callback.setToFailure();
        }
    }
}

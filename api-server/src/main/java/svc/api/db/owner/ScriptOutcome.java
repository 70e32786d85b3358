package svc.api.db.owner;

import java.util.List;
import java.util.Optional;

/** How a script ended. In every case but {@link Committed} nothing of it was applied. */
public sealed interface ScriptOutcome {
    /**
     * @param commands the server's tag of each statement that ran: {@code CREATE TABLE}, {@code INSERT 0 2}, …
     * @param rows of the last statement that returned any; empty when none did
     */
    record Committed(List<String> commands, Optional<ResultRows> rows) implements ScriptOutcome {
        public Committed {
            commands = List.copyOf(commands);
        }
    }

    /** The server refused a statement, or the commit. */
    record Failed(ServerError error) implements ScriptOutcome {}

    /** It was cut by the platform's clock. */
    record TimedOut() implements ScriptOutcome {}

    /** It ended the platform's transaction, or began another: what it did before that may have stayed. */
    record LeftTransaction() implements ScriptOutcome {}

    /** Too many scripts of this project are running. */
    record Busy() implements ScriptOutcome {}

    /** The database could not be reached, or the connection broke; whether a commit arrived is then not known. */
    record Unreachable(String why) implements ScriptOutcome {}
}

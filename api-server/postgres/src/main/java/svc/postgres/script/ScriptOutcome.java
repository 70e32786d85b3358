package svc.postgres.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The outcome of a script. In every case but {@link Committed}, {@link LeftTransaction} and {@link Unreachable} nothing
 * of it was applied; a statement outside of a transaction may have done part of its work in any case.
 */
public sealed interface ScriptOutcome {
    /**
     * It ran to its end and was committed; or, read-only or rehearsed, rolled back as intended.
     *
     * @param statements each that ran
     * @param types of the rows' columns and their parts, by number, as far as they are not built in
     */
    record Committed(List<StatementResult> statements, Map<Integer, CatalogType> types) implements ScriptOutcome {
        public Committed {
            statements = List.copyOf(statements);
            types = Map.copyOf(types);
        }

        /** Of the last statement that returned any; empty when none did. */
        public Optional<ResultRows> rows() {
            return statements.reversed().stream()
                    .flatMap(statement -> statement.rows().stream())
                    .findFirst();
        }

        /**
         * The same with other tags for some of the statements.
         *
         * @param tags by the statement's number, from 1
         */
        public Committed withTags(Map<Integer, String> tags) {
            List<StatementResult> tagged = new ArrayList<>(statements);
            tags.forEach((number, tag) -> tagged.set(
                    number - 1,
                    new StatementResult(tag, statements.get(number - 1).rows())));
            return new Committed(tagged, types);
        }

        /** The server's tag of each statement. */
        public List<String> commands() {
            return statements.stream().map(StatementResult::tag).toList();
        }
    }

    /**
     * The server refused a statement, or the commit.
     *
     * @param statement its number in the script, from 1; empty for the commit, and where the script was not begun
     */
    record Failed(ServerError error, Optional<Integer> statement) implements ScriptOutcome {}

    /** The statement takes another number of parameters than were given. */
    record ParameterMismatch(int takes) implements ScriptOutcome {}

    /** It was stopped by the platform's timeout. */
    record TimedOut() implements ScriptOutcome {}

    /** It was stopped because its caller has left. */
    record CallerLeft() implements ScriptOutcome {}

    /** It ended the platform's transaction, or began another: its earlier changes may have been committed. */
    record LeftTransaction() implements ScriptOutcome {}

    /** It changed the encoding of the session, or how the server reads constants. */
    record Unreadable() implements ScriptOutcome {}

    /** The server refuses this login alone: a script has changed its password or its stored settings. */
    record LockedOut() implements ScriptOutcome {}

    /** Too many scripts are running. */
    record Busy(Share share) implements ScriptOutcome {
        /** The share of the sessions that is in use. */
        public enum Share {
            PROJECT,
            /** The organisation's, or all sessions of this instance. */
            ORGANIZATION
        }
    }

    /** The database was unreachable, or the connection broke; whether a commit was applied is unknown. */
    record Unreachable(String why) implements ScriptOutcome {}
}

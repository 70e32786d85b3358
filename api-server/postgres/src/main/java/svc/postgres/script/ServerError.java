package svc.postgres.script;

import java.util.Map;
import java.util.Optional;

/**
 * An error of PostgreSQL. A script decides how long its texts are, so each is cut at
 * {@link WireConnection#MAX_TEXT_BYTES} bytes.
 *
 * @param sqlState five characters, PostgreSQL's appendix A
 * @param where the functions that it was met in, the innermost first, and the statement in it
 * @param position 1-based, in characters of the text that was sent; empty when the error is of no place in it
 * @param fatal whether the session ended with it
 */
public record ServerError(
        String sqlState,
        String message,
        Optional<String> detail,
        Optional<String> hint,
        Optional<String> where,
        Optional<Integer> position,
        boolean fatal) {
    private static final String IDLE_SESSION_TIMEOUT = "57P05";

    static ServerError of(Map<Character, String> fields) {
        return new ServerError(
                fields.getOrDefault('C', "XX000"),
                fields.getOrDefault('M', ""),
                Optional.ofNullable(fields.get('D')),
                Optional.ofNullable(fields.get('H')),
                where(fields),
                Optional.ofNullable(fields.get('P')).map(Integer::valueOf),
                "FATAL".equals(fields.get('V')) || "PANIC".equals(fields.get('V')));
    }

    /** With the statement inside of a function that the error is about, in the form that the server has for others of them. */
    private static Optional<String> where(Map<Character, String> fields) {
        Optional<String> inner = Optional.ofNullable(fields.get('q')).map(query -> "SQL statement \"" + query + "\"");
        Optional<String> frames = Optional.ofNullable(fields.get('W'));
        return inner.isPresent() && frames.isPresent()
                ? inner.map(first -> first + "\n" + frames.get())
                : frames.or(() -> inner);
    }

    /**
     * Whether the server ended the session: it shuts down, starts, or an administrator terminated it. 57P05 is none of
     * these: a session runs into the limit of idleness that it has given itself.
     */
    boolean ofTheServer() {
        return fatal && sqlState.startsWith("57P") && !IDLE_SESSION_TIMEOUT.equals(sqlState);
    }

    /**
     * What a script comes to that met this error.
     *
     * @param statement its number in the script, from 1; empty for an error of no place in the text
     */
    ScriptOutcome outcome(Optional<Integer> statement) {
        return ofTheServer()
                ? new ScriptOutcome.Unreachable("the database server ended the session")
                : new ScriptOutcome.Failed(this, statement);
    }
}

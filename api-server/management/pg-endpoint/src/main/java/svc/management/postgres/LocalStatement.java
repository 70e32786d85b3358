package svc.management.postgres;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement about the session itself, which is the endpoint's and not PostgreSQL's: transactions, settings of the client,
 * prepared statements. Recognized only where it is a message's whole text, or where all others of its text are such as well.
 * Pure.
 */
sealed interface LocalStatement {
    /** Nothing but space and comments. */
    record Empty() implements LocalStatement {}

    /** @param tag BEGIN or START TRANSACTION */
    record Begin(String tag, TransactionModes modes) implements LocalStatement {}

    record Commit() implements LocalStatement {}

    record Rollback() implements LocalStatement {}

    record Savepoint(String name) implements LocalStatement {}

    record Release(String name) implements LocalStatement {}

    record ReturnTo(String name) implements LocalStatement {}

    /** @param session whether they are those of the transactions that follow, instead of the one that is open */
    record Modes(TransactionModes modes, boolean session) implements LocalStatement {}

    /** Accepted: it changes nothing that could be seen here. */
    record Accepted(String tag) implements LocalStatement {}

    /**
     * A setting that the server has to accept.
     *
     * @param value empty for the value of the session's beginning
     * @param local whether it ends with the transaction
     * @param tag SET or RESET
     */
    record Setting(String name, Optional<String> value, boolean local, String tag) implements LocalStatement {}

    /** The schemas in which names are looked for. */
    record SearchPath(List<String> schemas, boolean local) implements LocalStatement {}

    /**
     * A call of {@code set_config}, which answers with one row.
     *
     * @param setting a {@link Setting}, a {@link SearchPath}, or one that is {@link Accepted}
     */
    record SetConfig(LocalStatement setting, String value) implements LocalStatement {}

    /** A role that is taken. */
    record Role(String name) implements LocalStatement {}

    /** All settings as at the session's beginning. */
    record ResetAll(String tag) implements LocalStatement {}

    /** A call that lets all advisory locks of the session go: no session outlives its statement. */
    record UnlockAll() implements LocalStatement {}

    /** @param name empty for all */
    record Deallocate(Optional<String> name) implements LocalStatement {}

    /** Would have no effect, because each message has a session of its own. */
    record Refused(String what, String hint) implements LocalStatement {}

    /** Longer ones are none of these. */
    int MAX_LENGTH = 300;

    /** Of a text of several; a pool's reset and a dump's preamble are shorter. */
    int MAX_TEXT = 2000;

    /** Comments in front of a statement are looked through up to here. */
    int MAX_COMMENT = 2000;

    Pattern COMMENT = Pattern.compile("\\A(?:\\s|--[^\\n]*+(?:\\n|\\z)|/\\*(?:[^*/]|\\*(?!/)|/(?!\\*))*+\\*/|;)++");

    /** The statement that is a text's only one; empty for one that is PostgreSQL's. */
    static Optional<LocalStatement> of(String sql, boolean inTransaction) {
        return of(sql, List.of(), inTransaction);
    }

    /**
     * The same with the values of its parameters.
     *
     * @param values as text, of {@code $1} and those behind it
     * @param inTransaction whether others will follow in the same session, where a setting does have an effect
     */
    static Optional<LocalStatement> of(String sql, List<String> values, boolean inTransaction) {
        String text = bare(sql);
        if (text.isEmpty()) {
            return Optional.of(new Empty());
        }
        if (text.length() > MAX_LENGTH || !LocalStatementReader.mayBegin(text)) {
            return Optional.empty();
        }
        return new LocalStatementReader(text, values, inTransaction).only();
    }

    /** The statements of a text that has several and no other; none for any other text. */
    static List<String> several(String sql, boolean inTransaction) {
        String text = bare(sql);
        if (text.length() > MAX_TEXT || text.indexOf(';') < 0 || !LocalStatementReader.mayBegin(text)) {
            return List.of();
        }
        List<String> parts = LocalStatementReader.parts(text);
        return parts.size() > 1
                        && parts.stream()
                                .allMatch(part -> of(part, inTransaction).isPresent())
                ? parts
                : List.of();
    }

    /** Whether the statement is a COPY. */
    static boolean copies(String sql) {
        return begins(bare(sql), "copy");
    }

    /** Whether a text begins with a word. @param word in lower case */
    static boolean begins(String text, String word) {
        if (!text.regionMatches(true, 0, word, 0, word.length()) || text.length() == word.length()) {
            return false;
        }
        char behind = text.charAt(word.length());
        return !Character.isLetterOrDigit(behind) && behind != '_' && behind != '$';
    }

    /** Without comments and space in front of it, and semicolons at its end. */
    static String bare(String sql) {
        Matcher comment = COMMENT.matcher(sql.length() > MAX_COMMENT ? sql.substring(0, MAX_COMMENT) : sql);
        int start = comment.find() ? comment.end() : 0;
        if (start == MAX_COMMENT && sql.length() > MAX_COMMENT) {
            // Perhaps in the middle of a comment, whose rest is no statement.
            start = 0;
        }
        int end = sql.length();
        while (end > start && (sql.charAt(end - 1) == ';' || Character.isWhitespace(sql.charAt(end - 1)))) {
            end--;
        }
        return sql.substring(start, end);
    }
}

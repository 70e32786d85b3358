package svc.management.postgres;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement about the session itself, which is the endpoint's and not PostgreSQL's: transactions, settings of the client,
 * prepared statements. Recognized only where it is a message's whole text. Pure.
 */
sealed interface LocalStatement {
    /** Nothing but space and comments. */
    record Empty() implements LocalStatement {}

    /** @param tag BEGIN or START TRANSACTION */
    record Begin(String tag, boolean readOnly) implements LocalStatement {}

    record Commit() implements LocalStatement {}

    record Rollback() implements LocalStatement {}

    /** Accepted: it changes nothing that could be seen here. */
    record Accepted(String tag) implements LocalStatement {}

    /** Whether the transactions that follow only read. */
    record ReadOnly(boolean on) implements LocalStatement {}

    /** @param name empty for all */
    record Deallocate(Optional<String> name) implements LocalStatement {}

    /** Would have no effect, because each message has a session of its own. */
    record Refused(String what, String hint) implements LocalStatement {}

    /** Longer ones are none of these. */
    int MAX_LENGTH = 300;

    /** Comments in front of a statement are looked through up to here. */
    int MAX_COMMENT = 2000;

    Pattern COMMENT = Pattern.compile("\\A(?:\\s|--[^\\n]*+(?:\\n|\\z)|/\\*(?:[^*/]|\\*(?!/)|/(?!\\*))*+\\*/|;)++");
    Pattern BEGIN = Pattern.compile("(begin|start transaction)(?: work| transaction)?((?: |,).*)?");
    Pattern MODES = Pattern.compile(
            "(?:(?:isolation level read (?:un)?committed|read only|read write|(?:not )?deferrable)(?:,? ?))*");
    Pattern COMMIT = Pattern.compile("(?:commit|end)(?: work| transaction)?(?: and no chain)?");
    Pattern ROLLBACK = Pattern.compile("(?:rollback|abort)(?: work| transaction)?(?: and no chain)?");
    Pattern SET = Pattern.compile("set (?:session )?([a-z_]+)(?: ?= ?| to )(.*)");
    Pattern SET_ROLE = Pattern.compile("set (?:session )?role (?:to )?[\"']?(?:postgres|none)[\"']?");
    Pattern CHARACTERISTICS = Pattern.compile(
            "set session characteristics as transaction (read only|read write|isolation level read (?:un)?committed)");
    Pattern RESET = Pattern.compile(
            "reset (?:all|[a-z_]+)|discard (?:all|plans|sequences|temp|temporary)|unlisten \\*" + "|close all");
    Pattern DEALLOCATE = Pattern.compile("deallocate (?:prepare )?(all|[a-z_][a-z0-9_]*|\"[^\"]+\")");

    /** How values look, and limits that the platform's own clock keeps: whatever is set, answers are the same. */
    List<String> WITHOUT_EFFECT = List.of(
            "application_name",
            "extra_float_digits",
            "client_min_messages",
            "statement_timeout",
            "lock_timeout",
            "idle_in_transaction_session_timeout",
            "idle_session_timeout",
            "transaction_timeout");

    /** What is in force; nothing else can be set. */
    static boolean inForce(String name, String value) {
        String plain = value.replace("'", "").replace("\"", "").strip();
        return switch (name) {
            case "client_encoding", "names" -> plain.matches("utf-?8|unicode");
            case "datestyle" -> plain.startsWith("iso");
            case "standard_conforming_strings" -> plain.matches("on|true|1");
            case "intervalstyle" -> plain.equals("postgres");
            case "bytea_output" -> plain.equals("hex");
            case "default_transaction_isolation" -> plain.equals("read committed");
            default -> false;
        };
    }

    /** @param inTransaction whether others will follow in the same session, where a setting does have an effect */
    static Optional<LocalStatement> of(String sql, boolean inTransaction) {
        String text = bare(sql);
        if (text.isEmpty()) {
            return Optional.of(new Empty());
        }
        if (text.length() > MAX_LENGTH || text.indexOf(';') >= 0) {
            return Optional.empty();
        }
        String words = text.replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
        Matcher begin = BEGIN.matcher(words);
        if (begin.matches()) {
            return Optional.of(begin(begin));
        }
        if (COMMIT.matcher(words).matches()) {
            return Optional.of(new Commit());
        }
        if (ROLLBACK.matcher(words).matches()) {
            return Optional.of(new Rollback());
        }
        Matcher deallocate = DEALLOCATE.matcher(words);
        if (deallocate.matches()) {
            String name = deallocate.group(1);
            return Optional.of(
                    new Deallocate(name.equals("all") ? Optional.empty() : Optional.of(name.replace("\"", ""))));
        }
        Matcher characteristics = CHARACTERISTICS.matcher(words);
        if (characteristics.matches()) {
            String mode = characteristics.group(1);
            return Optional.of(mode.startsWith("read ") ? new ReadOnly(mode.equals("read only")) : new Accepted("SET"));
        }
        return setting(words, inTransaction);
    }

    private static LocalStatement begin(Matcher begin) {
        String modes = Optional.ofNullable(begin.group(2)).orElse("").strip();
        if (!MODES.matcher(modes).matches()) {
            return new Refused(
                    "A transaction of several messages has the isolation level READ COMMITTED.",
                    "Leave the level out, or take locks with SELECT … FOR UPDATE.");
        }
        return new Begin(
                begin.group(1).startsWith("start") ? "START TRANSACTION" : "BEGIN", modes.contains("read only"));
    }

    private static Optional<LocalStatement> setting(String words, boolean inTransaction) {
        if (RESET.matcher(words).matches()) {
            String tag = words.substring(0, words.indexOf(' ')).toUpperCase(Locale.ROOT);
            return Optional.of(new Accepted(
                    switch (tag) {
                        case "DISCARD" -> words.toUpperCase(Locale.ROOT);
                        case "CLOSE" -> "CLOSE CURSOR ALL";
                        default -> tag;
                    }));
        }
        if (SET_ROLE.matcher(words).matches()) {
            return Optional.of(new Accepted("SET"));
        }
        Matcher set = SET.matcher(words);
        if (set.matches()) {
            String name = set.group(1);
            if (WITHOUT_EFFECT.contains(name) || inForce(name, set.group(2))) {
                return Optional.of(new Accepted("SET"));
            }
        }
        if (words.startsWith("set ") && !inTransaction && !words.startsWith("set constraints")) {
            return Optional.of(new Refused(
                    "The setting would end with its message: each message has a session of its own.",
                    "Send it in one message with the statements that need it, or between BEGIN and COMMIT."));
        }
        return Optional.empty();
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

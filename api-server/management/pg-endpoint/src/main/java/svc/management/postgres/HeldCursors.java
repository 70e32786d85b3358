package svc.management.postgres;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.script.ResultRows;
import svc.postgres.script.StatementResult;

/**
 * Cursors WITH HOLD, which outlive their transaction: the rows of a query, kept against the project's share of the memory until
 * the client closes the cursor. They are not in PostgreSQL, where no session outlives its transaction.
 */
final class HeldCursors {
    private static final int MAX_OPEN = 10;
    private static final String NAME = "(\"(?:[^\"]|\"\")+\"|[a-z_][a-z0-9_$]*)";

    private static final Pattern DECLARE = Pattern.compile("(?is)declare\\s+" + NAME
            + "\\s+(?:(?:insensitive|asensitive|no\\s+scroll|scroll)\\s+)*cursor\\s+with\\s+hold\\s+for\\s+(.+)");

    private static final Pattern FETCH =
            Pattern.compile("(?is)fetch\\s+(?:(?:forward\\s+)?(all|[0-9]{1,9}|next)\\s+)?(?:from\\s+|in\\s+)?" + NAME);

    private static final Pattern CLOSE = Pattern.compile("(?is)close\\s+" + NAME);

    private final PreparedStatements.Memory memory;
    private final Map<String, Open> open = new HashMap<>();

    HeldCursors(PreparedStatements.Memory memory) {
        this.memory = memory;
    }

    /** The declaration of a cursor, and its query. */
    record Declared(String name, String query) {}

    private static final class Open {
        private final ResultRows rows;
        private final long bytes;
        private int sent;

        Open(ResultRows rows, long bytes) {
            this.rows = rows;
            this.bytes = bytes;
        }
    }

    /** Empty for any other statement. */
    static Optional<Declared> declared(String sql) {
        Matcher declare = DECLARE.matcher(sql);
        return declare.matches()
                ? Optional.of(new Declared(name(declare.group(1)), declare.group(2)))
                : Optional.empty();
    }

    private static String name(String written) {
        return written.startsWith("\"")
                ? written.substring(1, written.length() - 1).replace("\"\"", "\"")
                : written.toLowerCase(Locale.ROOT);
    }

    /** @throws ProblemException for one too many, or more rows than there is memory for */
    void open(String name, ResultRows rows) {
        if (open.containsKey(name)) {
            throw problem("42P03", "cursor \"" + name + "\" already exists", "Close it first.");
        }
        long bytes = rows.rows().stream().mapToLong(PreparedStatements::bytes).sum();
        if (open.size() >= MAX_OPEN || !memory.take(bytes)) {
            throw problem(
                    "53200",
                    "there is no memory to hold the rows of the cursor",
                    "Close others, or declare it without WITH HOLD between BEGIN and COMMIT.");
        }
        open.put(name, new Open(rows, bytes));
    }

    /** The columns of a cursor that is held. */
    Optional<List<ResultRows.Column>> columns(String name) {
        return Optional.ofNullable(open.get(name)).map(cursor -> cursor.rows.columns());
    }

    /** The columns of a FETCH from one of these; empty for any other statement. */
    Optional<List<ResultRows.Column>> fetched(String sql) {
        Matcher fetch = FETCH.matcher(sql);
        return !open.isEmpty() && fetch.matches() ? columns(name(fetch.group(2))) : Optional.empty();
    }

    /** Runs FETCH and CLOSE of one of these; empty for any other statement. */
    Optional<StatementResult> run(String sql) {
        if (open.isEmpty()) {
            return Optional.empty();
        }
        Matcher fetch = FETCH.matcher(sql);
        if (fetch.matches()) {
            return Optional.ofNullable(open.get(name(fetch.group(2)))).map(cursor -> fetch(cursor, fetch.group(1)));
        }
        Matcher close = CLOSE.matcher(sql);
        if (close.matches() && open.containsKey(name(close.group(1)))) {
            forget(name(close.group(1)));
            return Optional.of(new StatementResult("CLOSE CURSOR", Optional.empty()));
        }
        return Optional.empty();
    }

    private static StatementResult fetch(Open cursor, String count) {
        List<byte[][]> rows = cursor.rows.rows();
        int left = rows.size() - cursor.sent;
        int wanted = switch (count == null ? "next" : count.toLowerCase(Locale.ROOT)) {
            case "next" -> 1;
            case "all" -> Integer.MAX_VALUE;
            default -> Integer.parseInt(count);
        };
        int end = cursor.sent + Math.min(left, wanted);
        // Rows that were left out are an error where the client would take the last one for the end.
        var part = new ResultRows(
                cursor.rows.columns(), rows.subList(cursor.sent, end), cursor.rows.cut() && wanted > left);
        cursor.sent = end;
        return new StatementResult("FETCH " + part.rows().size(), Optional.of(part));
    }

    private void forget(String name) {
        memory.giveBack(open.remove(name).bytes);
    }

    void closeAll() {
        List.copyOf(open.keySet()).forEach(this::forget);
    }

    private static ProblemException problem(String sqlState, String message, String hint) {
        return Problem.of(ProblemCode.SQL_ERROR, message)
                .withHint(hint)
                .with("sqlstate", sqlState)
                .asException();
    }
}

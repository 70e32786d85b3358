package svc.postgres.script;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A script and how to run it.
 *
 * @param sql sent as it is, in one message
 * @param parameters for a single statement; none for a script
 * @param time longest run, from the first statement to the commit, by the platform's clock
 * @param caller of the API in whose role the script begins; empty for the owner
 * @param formats of the rows of a single statement, as a Bind message has them; none for text
 * @param copy the caller's end of a COPY; without one a script copies nothing
 */
public record ScriptRun(
        String sql,
        List<ScriptParameter> parameters,
        Mode mode,
        Results results,
        Duration time,
        Optional<ImpersonatedCaller> caller,
        List<Integer> formats,
        Optional<CopyPeer> copy) {
    /** The transaction around the script. */
    public enum Mode {
        /** BEGIN … COMMIT: all of it or nothing. */
        TRANSACTION,
        /**
         * BEGIN READ ONLY, a first snapshot, …, ROLLBACK. PostgreSQL lets no transaction become read-write once it has a
         * snapshot, and what a read-only transaction may do nevertheless (NOTIFY, LISTEN) never happens without a commit.
         */
        READ_ONLY,
        /** BEGIN … ROLLBACK, with the deferred constraints checked before: what would happen, without its happening. */
        REHEARSAL,
        /** Nothing around it, for the one statement that PostgreSQL refuses inside of a transaction. */
        OUTSIDE_TRANSACTION
    }

    /** Which rows are kept. */
    public enum Results {
        /** Of the last statement that returned any. */
        LAST,
        /** Of every statement. */
        ALL
    }

    public ScriptRun {
        parameters = List.copyOf(parameters);
        formats = List.copyOf(formats);
    }

    /** A run whose rows come as text. */
    public ScriptRun(
            String sql,
            List<ScriptParameter> parameters,
            Mode mode,
            Results results,
            Duration time,
            Optional<ImpersonatedCaller> caller) {
        this(sql, parameters, mode, results, time, caller, List.of(), Optional.empty());
    }

    /** A script in a transaction of its own, for its last rows. */
    public static ScriptRun of(String sql, Duration time) {
        return new ScriptRun(sql, List.of(), Mode.TRANSACTION, Results.LAST, time, Optional.empty());
    }

    public ScriptRun in(Mode other) {
        return new ScriptRun(sql, parameters, other, results, time, caller, formats, copy);
    }

    public ScriptRun with(List<ScriptParameter> values) {
        return new ScriptRun(sql, values, mode, results, time, caller, formats, copy);
    }

    public ScriptRun keeping(Results wanted) {
        return new ScriptRun(sql, parameters, mode, wanted, time, caller, formats, copy);
    }

    /** The same with its rows in other formats, as a Bind message has them. */
    public ScriptRun formatted(List<Integer> wanted) {
        return new ScriptRun(sql, parameters, mode, results, time, caller, wanted, copy);
    }

    /**
     * Whether it is sent by the extended protocol: it has values, or formats that the server has to judge. A COPY says itself
     * in which format its rows are.
     */
    boolean isBound() {
        return !parameters.isEmpty() || copy.isEmpty() && (formats.size() > 1 || formats.contains(1));
    }

    /** The same in the role of a caller. */
    public ScriptRun as(ImpersonatedCaller other) {
        return new ScriptRun(sql, parameters, mode, results, time, Optional.of(other), formats, copy);
    }
}

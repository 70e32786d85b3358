package svc.management.query;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.ratelimit.RateDecision;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ServerError;
import svc.sqlgate.Verdict;
import svc.sqlgate.mapping.ComposedSql;
import svc.sqlgate.mapping.SupabaseAliases;
import svc.sqlgate.parser.SourceText;

/** The problems of SQL that did not run to its end. Pure. */
final class SqlProblems {
    private static final String NOTHING_APPLIED = "No part of the script was applied.";

    /** What PostgreSQL says of a name that it does not know, or of an object that is not the project's. */
    private static final Set<String> OF_NAMES = Set.of("42501", "42704", "3F000", "42P01", "42883");

    private static final String COMPOSED =
            "EXECUTE sent the statement that where shows. In composed SQL a name of Supabase is"
                    + " replaced where it is written out: public.t, auth.uid(), TO anon. Policies on storage.objects, extensions and"
                    + " triggers on tables of the platform must be statements of the script, or of a PL/pgSQL body without EXECUTE. "
                    + NOTHING_APPLIED;

    /** The interval after which the operator has reconciled every project. */
    private static final Duration RESYNC_INTERVAL = Duration.ofMinutes(5);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private SqlProblems() {}

    static Problem rejected(Verdict.Rejected rejected) {
        String where = rejected.place()
                .map(place -> " at line " + place.line() + ", column " + place.column())
                .orElse("");
        String which = rejected.statement() > 0 ? " in statement " + rejected.statement() : "";
        String detail = switch (rejected.code()) {
            case SQL_UNPARSEABLE -> "The SQL cannot be parsed" + which + where + ": " + rejected.what() + ".";
            case SQL_TOO_LARGE -> "The SQL is too long: " + rejected.what() + ".";
            default -> "The SQL contains " + rejected.what() + which + where + ", which is not allowed.";
        };
        Problem problem =
                Problem.of(rejected.code(), detail).withHint(rejected.hint()).with("what", rejected.what());
        if (rejected.statement() > 0) {
            problem = problem.with("statement", rejected.statement());
        }
        return rejected.place().isPresent() ? placed(problem, rejected.place().get()) : problem;
    }

    static Problem unknown(Verdict.Unknown unknown) {
        return Problem.of(ProblemCode.UNAVAILABLE, "The SQL was not run because " + unknown.why() + ".")
                .retryAfter(RETRY_AFTER);
    }

    static Problem throttled(RateDecision decision, SqlBudget budget) {
        return Problem.of(ProblemCode.RATE_LIMIT_EXCEEDED, "The project has used its " + budget.used(decision) + ".")
                .withHint(budget.advice() + ", and retry in " + decision.resetSeconds() + " seconds.")
                .retryAfter(decision.reset());
    }

    static Problem auditUnavailable() {
        return Problem.of(ProblemCode.AUDIT_UNAVAILABLE, "The SQL was not run because the audit log cannot be written.")
                .withHint("Retry the request: no part of it was applied.")
                .retryAfter(RETRY_AFTER);
    }

    /** Without the frames of the platform's own functions, which stand for statements of the caller. */
    private static Optional<String> ofTheCaller(String where) {
        List<String> lines = where.lines().toList();
        int own = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains("svc_statements.") || lines.get(i).contains("svc_guard.")) {
                own = i + 1;
            }
        }
        return Optional.of(String.join("\n", lines.subList(own, lines.size()))).filter(text -> !text.isEmpty());
    }

    private static boolean isOfComposedName(ServerError error) {
        return OF_NAMES.contains(error.sqlState())
                && error.where()
                        .flatMap(where -> where.lines()
                                .filter(line -> line.startsWith("PL/pgSQL"))
                                .findFirst())
                        .filter(frame -> frame.endsWith(" at EXECUTE"))
                        .isPresent();
    }

    /** With names and positions of the caller's own text. */
    static Problem failed(ScriptOutcome.Failed failed, Verdict.Admitted admitted) {
        ServerError error = failed.error();
        SupabaseAliases names = admitted.names();
        Problem problem = Problem.of(ProblemCode.SQL_ERROR, names.toAliases(error.message()))
                .withHint(
                        error.hint().map(names::toAliases).orElse(isOfComposedName(error) ? COMPOSED : NOTHING_APPLIED))
                .with("sqlstate", error.sqlState());
        if (error.detail().isPresent()) {
            problem = problem.with("sql_detail", names.toAliases(error.detail().get()));
        }
        Optional<String> where = error.where()
                .flatMap(SqlProblems::ofTheCaller)
                .map(ComposedSql::asWritten)
                .map(names::toAliases);
        if (where.isPresent()) {
            problem = problem.with("where", where.get());
        }
        // The position is more reliable: what the server cannot parse fails before the first statement.
        Optional<SourceText.Place> reported = error.position().map(admitted.script()::placeOf);
        int statement =
                reported.map(admitted::statementAt).or(failed::statement).orElse(0);
        Optional<SourceText.Place> place = reported.or(() -> admitted.placeOfStatement(statement));
        if (statement > 0) {
            problem = problem.with("statement", statement);
        }
        return place.isPresent() ? placed(problem, place.get()) : problem;
    }

    static Problem timedOut(Duration limit, boolean alone) {
        return Problem.of(ProblemCode.SQL_TIMEOUT, "The script ran for longer than " + limit.toSeconds() + " seconds.")
                .withHint(
                        alone
                                ? "It ran outside of a transaction: what it had done by then may remain. An index that it"
                                        + " was building was dropped. Retry with a larger timeout_seconds, or when long"
                                        + " transactions have ended."
                                : NOTHING_APPLIED + " Split it, or retry with a larger timeout_seconds.")
                .with("sqlstate", "57014");
    }

    /**
     * The problem of a statement that ran alone and left indexes that could not be dropped.
     *
     * @param indexes as the caller names them; empty if they are unknown
     */
    static Problem leftIndexes(Problem problem, List<String> indexes) {
        String left = indexes.isEmpty()
                ? "An index that it was building may be left, and INVALID: look for it with SELECT indexrelid::regclass FROM"
                        + " pg_index WHERE NOT indisvalid, and drop it with DROP INDEX CONCURRENTLY."
                : "It left an INVALID index whose table is in use. Run "
                        + indexes.stream()
                                .map("DROP INDEX CONCURRENTLY "::concat)
                                .collect(Collectors.joining(" and, in a call of its own, "))
                        + ", then retry.";
        return problem.withHint(left);
    }

    /** Seen in the log only: the client is gone. */
    static Problem callerLeft() {
        return Problem.of(ProblemCode.SQL_TIMEOUT, "The client closed the connection before the script ended.")
                .withHint(NOTHING_APPLIED)
                .with("sqlstate", "57014");
    }

    static Problem parametersOfSeveral(int statements) {
        return Problem.of(
                        ProblemCode.SQL_PARAMETERS_INVALID,
                        "Parameters need a single statement; the SQL has " + statements + ".")
                .withError("/parameters", "the SQL has " + statements + " statements")
                .withHint("Send the statement with $1 in a call of its own.");
    }

    /** A prepared statement with a text of several. */
    static Problem severalPrepared(int statements) {
        return Problem.of(
                        ProblemCode.SQL_PARAMETERS_INVALID,
                        "A prepared statement is one; the SQL has " + statements + ".")
                .withHint("Send several statements by the simple query protocol.");
    }

    /** For a statement that runs outside of a transaction and cannot be rolled back. */
    static Problem neverReadOnly() {
        return Problem.of(ProblemCode.INVALID_BODY, "The statement writes, and read_only is true.")
                .withError("/read_only", "conflicts with this statement")
                .withHint("Omit read_only.");
    }

    /** For a statement that no transaction can hold together with its row in the history. */
    static Problem neverRecorded() {
        return Problem.of(
                        ProblemCode.SQL_FORBIDDEN_STATEMENT,
                        "The statement runs outside of a transaction, and a migration is one.")
                .withHint("Send it alone to POST /v1/projects/{ref}/database/query, or leave CONCURRENTLY out.")
                .with("what", "a statement that runs outside of a transaction");
    }

    /** For a statement that runs outside of a transaction, where no role can be taken for its time only. */
    static Problem neverAsCaller() {
        return Problem.of(
                        ProblemCode.INVALID_PARAMETER,
                        "The statement runs outside of a transaction, which only the project's owner may do.")
                .withHint("Omit the query parameter as.");
    }

    static Problem twoRoles() {
        return Problem.of(
                        ProblemCode.INVALID_PARAMETER,
                        "The script sets its role itself, and the query parameter as names one.")
                .withHint("Omit either the query parameter as or SET ROLE and RESET ROLE.");
    }

    static Problem parameterCount(int takes, int given) {
        return Problem.of(
                        ProblemCode.SQL_PARAMETERS_INVALID,
                        "The statement takes " + takes + " parameters, and " + given + " were sent.")
                .withError("/parameters", "must have " + takes + " elements")
                .withHint("Send one element for each of $1, $2, …; null for SQL's NULL.");
    }

    static Problem leftTransaction() {
        return Problem.of(
                        ProblemCode.SQL_FORBIDDEN_STATEMENT,
                        "The script ended its own transaction, which is not allowed.")
                .withHint("Earlier statements may have been applied. Remove transaction control from the script.")
                .with("what", "transaction control");
    }

    static Problem unreadable() {
        return Problem.of(
                        ProblemCode.SQL_FORBIDDEN_STATEMENT,
                        "The script changed the text encoding of its session, which is not allowed.")
                .withHint(NOTHING_APPLIED + " Do not set client_encoding or standard_conforming_strings.")
                .with("what", "SET client_encoding or standard_conforming_strings");
    }

    /** A script can change the password and the settings of its own role; the operator repairs them. */
    static Problem lockedOut() {
        return Problem.of(
                        ProblemCode.UNAVAILABLE,
                        "The database rejects the login of the project owner: its password, or a setting that it"
                                + " starts with, is not what the platform has set.")
                .withHint(NOTHING_APPLIED + " The platform repairs the login within " + RESYNC_INTERVAL.toMinutes()
                        + " minutes.")
                .retryAfter(RESYNC_INTERVAL);
    }

    static Problem authUnprepared() {
        return Problem.of(ProblemCode.UNAVAILABLE, "The tables of the auth service are not ready yet.")
                .withHint(NOTHING_APPLIED + " Retry the request.")
                .retryAfter(RETRY_AFTER);
    }

    static Problem busy(ScriptOutcome.Busy.Share share) {
        String detail = switch (share) {
            case PROJECT -> "Too many scripts of this project are running.";
            case ORGANIZATION ->
                "Too many scripts are running: the organization uses its share of this instance's sessions.";
        };
        return Problem.of(ProblemCode.UNAVAILABLE, detail)
                .withHint(NOTHING_APPLIED + " Retry after one of them has ended.")
                .retryAfter(RETRY_AFTER);
    }

    static Problem noOwner() {
        return Problem.of(
                        ProblemCode.SQL_OWNER_MISSING,
                        "The adopted database of this project has no login configured for SQL.")
                .withHint("Set owner-user and owner-password in the connection Secret of the project.");
    }

    static Problem unreachable(ScriptOutcome.Unreachable unreachable) {
        return Problem.of(ProblemCode.UPSTREAM_FAILED, "The script did not complete: " + unreachable.why() + ".")
                .withHint("Check whether it was applied before you retry.");
    }

    private static Problem placed(Problem problem, SourceText.Place place) {
        return problem.with("line", place.line()).with("column", place.column()).with("position", place.position());
    }
}

package svc.management.query;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.ratelimit.RateDecision;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ServerError;
import svc.sqlgate.Verdict;
import svc.sqlgate.mapping.SupabaseAliases;
import svc.sqlgate.parser.SourceText;

/** What a caller is told when its SQL did not run to its end. Pure. */
final class SqlProblems {
    private static final String NOTHING_APPLIED = "Nothing of the script was applied.";

    /** After so long at the latest the operator has looked after every project. */
    private static final Duration REPAIR = Duration.ofMinutes(5);

    private static final Duration SOON = Duration.ofSeconds(1);

    private SqlProblems() {}

    static Problem rejected(Verdict.Rejected rejected) {
        String where = rejected.place()
                .map(place -> " at line " + place.line() + ", column " + place.column())
                .orElse("");
        String which = rejected.statement() > 0 ? " in statement " + rejected.statement() : "";
        String detail = switch (rejected.code()) {
            case SQL_UNPARSEABLE -> "The SQL cannot be parsed" + which + where + ": " + rejected.what() + ".";
            case SQL_TOO_LARGE -> "The SQL is too long: it is " + rejected.what() + ".";
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
                .retryAfter(SOON);
    }

    static Problem throttled(RateDecision decision) {
        return Problem.of(
                        ProblemCode.RATE_LIMIT_EXCEEDED,
                        "This project has had its " + decision.limit() + " SQL requests of a minute.")
                .withHint("Put several statements into one request, and send the next one in " + decision.resetSeconds()
                        + " seconds.")
                .retryAfter(decision.reset());
    }

    static Problem auditUnavailable() {
        return Problem.of(ProblemCode.AUDIT_UNAVAILABLE, "The SQL was not run because its audit row cannot be written.")
                .withHint("Send it again; nothing of it was applied.")
                .retryAfter(SOON);
    }

    /** Without what led there inside of the platform's own functions, which stand for statements of the caller. */
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

    /** With the names and places of the caller's own text. */
    static Problem failed(ScriptOutcome.Failed failed, Verdict.Admitted admitted) {
        ServerError error = failed.error();
        SupabaseAliases names = admitted.names();
        Problem problem = Problem.of(ProblemCode.SQL_ERROR, names.toFamiliar(error.message()))
                .withHint(error.hint().map(names::toFamiliar).orElse(NOTHING_APPLIED))
                .with("sqlstate", error.sqlState());
        if (error.detail().isPresent()) {
            problem = problem.with("sql_detail", names.toFamiliar(error.detail().get()));
        }
        Optional<String> where = error.where().flatMap(SqlProblems::ofTheCaller).map(names::toFamiliar);
        if (where.isPresent()) {
            problem = problem.with("where", where.get());
        }
        // A position is the surer witness: what the server cannot read at all it refuses before the first statement.
        Optional<SourceText.Place> told = error.position().map(admitted.script()::placeOf);
        int statement = told.map(admitted::statementAt).or(failed::statement).orElse(0);
        Optional<SourceText.Place> place = told.or(() -> admitted.placeOfStatement(statement));
        if (statement > 0) {
            problem = problem.with("statement", statement);
        }
        return place.isPresent() ? placed(problem, place.get()) : problem;
    }

    static Problem timedOut(Duration limit, boolean alone) {
        return Problem.of(ProblemCode.SQL_TIMEOUT, "The script ran for longer than " + limit.toSeconds() + " seconds.")
                .withHint(
                        alone
                                ? "It ran outside of a transaction: an index that it was building is there, but INVALID."
                                        + " Drop it, and try again with a larger timeout_seconds."
                                : NOTHING_APPLIED + " Send it in smaller parts, or with a larger timeout_seconds.")
                .with("sqlstate", "57014");
    }

    /** Read by nobody but the log: whoever called is gone. */
    static Problem callerLeft() {
        return Problem.of(ProblemCode.SQL_TIMEOUT, "The caller closed the connection before the script was over.")
                .withHint(NOTHING_APPLIED)
                .with("sqlstate", "57014");
    }

    static Problem parametersOfSeveral(int statements) {
        return Problem.of(
                        ProblemCode.SQL_PARAMETERS_INVALID,
                        "Parameters go with a single statement, and the SQL has " + statements + ".")
                .withError("/parameters", "the SQL has " + statements + " statements")
                .withHint("Send the statement that has $1 by itself.");
    }

    /** Of a statement that runs outside of a transaction, where nothing could take it back. */
    static Problem neverReadOnly() {
        return Problem.of(ProblemCode.INVALID_BODY, "This statement changes something, and read_only is true.")
                .withError("/read_only", "does not go with this statement")
                .withHint("Leave read_only out.");
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
                        "The script ended the transaction that it runs in, which is not allowed.")
                .withHint("What it did before that may have been applied. Leave transaction control out.")
                .with("what", "transaction control");
    }

    static Problem unreadable() {
        return Problem.of(
                        ProblemCode.SQL_FORBIDDEN_STATEMENT,
                        "The script changed how its session writes or reads text, which is not allowed.")
                .withHint(NOTHING_APPLIED + " Leave client_encoding and standard_conforming_strings as they are.")
                .with("what", "SET client_encoding or standard_conforming_strings");
    }

    /** A script can change the password and the settings of its own role; the operator puts them back. */
    static Problem lockedOut() {
        return Problem.of(
                        ProblemCode.UNAVAILABLE,
                        "The database refuses the login of the project's owner: its password, or a setting that it"
                                + " starts with, is not what the platform has set.")
                .withHint(NOTHING_APPLIED + " The platform puts the login back within " + REPAIR.toMinutes()
                        + " minutes.")
                .retryAfter(REPAIR);
    }

    static Problem busy() {
        return Problem.of(ProblemCode.UNAVAILABLE, "Too many scripts of this project are running.")
                .withHint("Wait for one of them to end.")
                .retryAfter(SOON);
    }

    static Problem noOwner() {
        return Problem.of(
                        ProblemCode.SQL_OWNER_MISSING,
                        "The database of this project was adopted without a login that may run SQL.")
                .withHint("Name one as owner-user and owner-password in the project's connection Secret.");
    }

    static Problem unreachable(ScriptOutcome.Unreachable unreachable) {
        return Problem.of(ProblemCode.UPSTREAM_FAILED, "The script did not come to its end: " + unreachable.why() + ".")
                .withHint("Look whether it was applied before you send it again.");
    }

    private static Problem placed(Problem problem, SourceText.Place place) {
        return problem.with("line", place.line()).with("column", place.column()).with("position", place.position());
    }
}

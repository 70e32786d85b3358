package svc.management.postgres;

import java.util.List;
import java.util.Optional;
import svc.database.sql.Identifier;
import svc.management.postgres.PreparedStatements.Prepared;
import svc.management.postgres.SessionStatements.Sent;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.script.StatementResult;

/**
 * Runs PREPARE and EXECUTE of one session. No session of the server outlives its statement, so the statement is prepared again
 * each time, and judged again: its names mean what they mean then.
 */
final class SqlPreparations {
    private final PreparedStatements prepared;
    private final Runner runner;
    private long count;

    /** Runs a script in which statements may be prepared. */
    @FunctionalInterface
    interface Runner {
        /** @throws ProblemException for one that did not run to its end */
        List<StatementResult> run(Sent sent);
    }

    SqlPreparations(PreparedStatements prepared, Runner runner) {
        this.prepared = prepared;
        this.runner = runner;
    }

    /** @throws ProblemException for one that did not run to its end */
    List<StatementResult> run(PreparedSql found, Sent sent) {
        if (!sent.parameters().isEmpty()) {
            throw Problem.of(ProblemCode.SQL_FORBIDDEN_STATEMENT, "PREPARE and EXECUTE take no parameters")
                    .withHint("Write the values in the brackets of EXECUTE.")
                    .asException();
        }
        return switch (found) {
            case PreparedSql.Prepare prepare -> {
                prepared.requireFree(prepare.name());
                once(new Prepared(prepare.statement(), List.of(), prepare.types()), Optional.empty(), sent);
                prepared.prepare(prepare);
                yield SessionCommands.tag("PREPARE");
            }
            case PreparedSql.Execute execute -> once(statement(execute), Optional.of(execute.values()), sent);
        };
    }

    /** The statement that one executes; empty for one that prepares. */
    Optional<Prepared> executed(PreparedSql found) {
        return found instanceof PreparedSql.Execute execute ? Optional.of(statement(execute)) : Optional.empty();
    }

    /** Hazard: Parse keeps any text, so a statement may execute itself. As in PostgreSQL only what plans can be executed. */
    private Prepared statement(PreparedSql.Execute execute) {
        Prepared found = prepared.statement(execute.name());
        if (PreparedSql.of(found.sql).isPresent()) {
            throw Problem.of(
                            ProblemCode.SQL_FORBIDDEN_STATEMENT,
                            "the statement \"" + execute.name() + "\" prepares or executes another")
                    .withHint("Execute that one.")
                    .asException();
        }
        return found;
    }

    private List<StatementResult> once(Prepared statement, Optional<String> values, Sent sent) {
        // What an error has left prepared in a transaction that goes on keeps its name.
        String name = Identifier.of("prepared_" + ++count).sql();
        // Line ends: a comment at the end of a part must not hide the next.
        String execute = values.map(list -> "EXECUTE " + name + list + "\n;").orElse("");
        String text = "PREPARE " + name + statement.declared + " AS " + statement.sql + "\n;" + execute + "DEALLOCATE "
                + name;
        try {
            List<StatementResult> ran = runner.run(new Sent(text, List.of(), false, sent.alone(), List.of()));
            return values.isEmpty() ? List.of() : ran.subList(1, ran.size() - 1);
        } catch (ProblemException e) {
            // The place is one in a text that the client has not sent.
            throw e.problem().with("position", 0).asException(e);
        }
    }
}

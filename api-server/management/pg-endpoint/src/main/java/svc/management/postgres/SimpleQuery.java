package svc.management.postgres;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemException;
import svc.postgres.script.StatementResult;

/** The simple query protocol of one session: a text of any number of statements, whose rows come as text. */
final class SimpleQuery {
    private final SessionStatements statements;
    private final PreparedStatements prepared;
    private final Answers answers;
    private final Function<Problem, ErrorAnswer> errors;

    /** @param errors the answers to problems */
    SimpleQuery(
            SessionStatements statements,
            PreparedStatements prepared,
            Answers answers,
            Function<Problem, ErrorAnswer> errors) {
        this.statements = statements;
        this.prepared = prepared;
        this.answers = answers;
        this.errors = errors;
    }

    /** Runs a text. @return the problem that ended it */
    Optional<Problem> run(String sql) throws IOException {
        try {
            LocalStatement.of(sql, false).ifPresent(prepared::deallocate);
            List<StatementResult> results =
                    statements.run(new SessionStatements.Sent(sql, List.of(), false, true, List.of()));
            // Ends the transaction of a batch in front of it that had no Sync.
            statements.sync();
            if (!new ResultWriter(answers).all(results)) {
                statements.abort();
            }
            return Optional.empty();
        } catch (ProblemException e) {
            answers.error(errors.apply(e.problem()));
            return Optional.of(e.problem());
        }
    }
}

package svc.postgres.flush;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import svc.database.sql.SqlFragment;
import svc.postgres.Access;
import svc.postgres.Isolation;
import svc.postgres.Setting;

/** The steps of one transaction on one connection. The first of them begins it. */
final class OpenTransaction implements TransactionSteps {
    private final FlushConnection connection;
    private final Terms terms;
    private Optional<String> role = Optional.empty();
    private boolean begun;

    /**
     * How the transaction runs.
     *
     * @param prepared whether no statement depends on what a tenant may change
     * @param anonymous the role of callers that anyone can be
     * @param always set at the beginning, beside the settings of the first step
     */
    record Terms(Access access, Isolation isolation, boolean prepared, String anonymous, List<Setting> always) {
        Terms {
            always = List.copyOf(always);
        }
    }

    OpenTransaction(FlushConnection connection, Terms terms) {
        this.connection = connection;
        this.terms = terms;
    }

    @Override
    public FlushRow run(List<Setting> settings, List<SqlFragment> before, SqlFragment query, List<String> binds) {
        List<Setting> set = begun
                ? settings
                : Stream.concat(settings.stream(), terms.always().stream()).toList();
        var question = new FlushText.MainQuery(set, before, query, binds);
        List<FlushStatement> statements =
                begun ? FlushText.next(question) : FlushText.opening(terms.access(), terms.isolation(), question);
        role = Flush.role(settings).or(() -> role);
        boolean ofAnyone = role.filter(terms.anonymous()::equals).isPresent();
        var result = new FlushResult(
                FlushText.mainQuery(!begun, before), project -> ofAnyone ? project.ofAnonymous() : project);
        begun = true;
        send(statements, result);
        return result.onlyRow();
    }

    /**
     * Statements about a tenant's tables are prepared for each step: one that was prepared before a change of the schema
     * would fail the transaction, which cannot be repeated here.
     */
    private CompletableFuture<Character> sent(List<FlushStatement> statements, FlushResult result) {
        return terms.prepared() ? connection.send(statements, result) : connection.sendUnprepared(statements, result);
    }

    /** Waits for the answer; says in what state the session is then. */
    char send(List<FlushStatement> statements, FlushResult result) {
        try {
            return sent(statements, result).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException refused ? refused : e;
        }
    }
}

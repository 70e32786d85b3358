package svc.postgres.flush;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import svc.database.sql.SqlFragment;
import svc.postgres.Access;
import svc.postgres.Isolation;
import svc.postgres.Setting;

/** The steps of one transaction on one connection. The first of them begins it. */
final class OpenTransaction implements TransactionSteps {
    private final FlushConnection connection;
    private final Access access;
    private final Isolation isolation;
    private final boolean prepared;
    private final String anonymous;
    private Optional<String> role = Optional.empty();
    private boolean begun;

    /**
     * @param prepared whether no statement depends on what a tenant may change
     * @param anonymous the role of callers that anyone can be
     */
    OpenTransaction(
            FlushConnection connection, Access access, Isolation isolation, boolean prepared, String anonymous) {
        this.connection = connection;
        this.access = access;
        this.isolation = isolation;
        this.prepared = prepared;
        this.anonymous = anonymous;
    }

    @Override
    public FlushRow run(List<Setting> settings, List<SqlFragment> before, SqlFragment query, List<String> binds) {
        var question = new FlushText.MainQuery(settings, before, query, binds);
        List<FlushStatement> statements =
                begun ? FlushText.next(question) : FlushText.opening(access, isolation, question);
        role = Flush.role(settings).or(() -> role);
        boolean ofAnyone = role.filter(anonymous::equals).isPresent();
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
        return prepared ? connection.send(statements, result) : connection.sendUnprepared(statements, result);
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

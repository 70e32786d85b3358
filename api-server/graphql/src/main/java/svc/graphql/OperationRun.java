package svc.graphql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import svc.catalog.ImpersonatedRoleSettings;
import svc.catalog.ProjectSchema;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.graphql.document.Operation;
import svc.graphql.plan.OperationPlan;
import svc.graphql.plan.RootPlan;
import svc.graphql.query.Statement;
import svc.graphql.query.StatementSql;
import svc.platform.dataplane.DataPlaneRequest;
import svc.postgres.Access;
import svc.postgres.Setting;
import svc.postgres.flush.Flush;
import svc.postgres.flush.FlushRow;
import svc.postgres.flush.InFlightRequest;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;
import svc.postgres.flush.TransactionSteps;
import svc.postgres.request.PreRequest;
import svc.postgres.request.RequestSettings;

/**
 * Runs planned operations: a query as one statement, a mutation as one statement for each root field, in the document's
 * order in one transaction.
 */
final class OperationRun {
    /** Of the answers to the fields of a mutation together; that of one statement has a limit of its own. */
    private static final long MAX_BYTES = 32L * 1024 * 1024;

    private final TenantTransactions transactions;
    private final Executor blocking;

    OperationRun(TenantTransactions transactions, Executor blocking) {
        this.transactions = transactions;
        this.blocking = blocking;
    }

    /** How the transaction of an operation begins. */
    private record Opening(
            DataPlaneRequest request, ImpersonatedRoleSettings own, List<Setting> settings, List<SqlFragment> before) {}

    /** The values of the root fields that need the database, in order. */
    CompletableFuture<List<Optional<byte[]>>> run(
            DataPlaneRequest request, ProjectSchema project, String role, OperationPlan plan) {
        List<RootPlan> roots = plan.roots().stream()
                .filter(root -> !(root instanceof RootPlan.Typename) && !(root instanceof RootPlan.Introspection))
                .toList();
        ImpersonatedRoleSettings own = project.roleSettings(role);
        var opening = new Opening(
                request,
                own,
                RequestSettings.of(request, Identifier.of(project.exposed().getFirst()), role, own.settings()),
                PreRequest.of(request.tenant()).stream().toList());
        if (plan.kind() == Operation.Kind.QUERY) {
            return send(opening, Access.READ, StatementSql.reading(roots), new TransactionEnd.Commit())
                    .thenApply(row -> GraphqlTransactions.columns(row, roots.size()));
        }
        return roots.size() == 1 && !(roots.getFirst() instanceof RootPlan.NestedInsert)
                ? write(opening, roots.getFirst())
                : CompletableFuture.supplyAsync(() -> writeAll(opening, roots), blocking);
    }

    private CompletableFuture<List<Optional<byte[]>>> write(Opening opening, RootPlan root) {
        TransactionEnd end = atMost(root).isPresent()
                ? new TransactionEnd.CommitIf(row -> !exceeds(root, row))
                : new TransactionEnd.Commit();
        return send(opening, Access.WRITE, StatementSql.writing(root), end).thenApply(row -> {
            refuseExcess(root, row);
            return GraphqlTransactions.columns(row, 1);
        });
    }

    /** Cancels the statement when the client closes the connection. */
    private CompletableFuture<FlushRow> send(Opening opening, Access access, Statement statement, TransactionEnd end) {
        var flush = new Flush(
                access,
                opening.own().isolation(),
                opening.settings(),
                opening.before(),
                statement.text(),
                statement.binds(),
                end);
        DataPlaneRequest request = opening.request();
        InFlightRequest running =
                transactions.start(request.tenant(), request.caller().login(), flush);
        if (!running.row().isDone()) {
            request.response().closeHandler(gone -> running.cancel());
        }
        return running.row();
    }

    private static Optional<Long> atMost(RootPlan root) {
        return root instanceof RootPlan.Write write ? write.atMost() : Optional.empty();
    }

    private static boolean exceeds(RootPlan root, FlushRow row) {
        return atMost(root).filter(most -> row.number(1) > most).isPresent();
    }

    private static void refuseExcess(RootPlan root, FlushRow row) {
        if (exceeds(root, row) && root instanceof RootPlan.Write write) {
            throw new ImpactError(write.excess());
        }
    }

    /** A write that affected more rows than allowed; it is rolled back. */
    static final class ImpactError extends RuntimeException {
        private static final long serialVersionUID = 1;

        ImpactError(String message) {
            super(message, null, false, false);
        }
    }

    /** Any failure rolls back all of them. Blocks. */
    private List<Optional<byte[]>> writeAll(Opening opening, List<RootPlan> roots) {
        DataPlaneRequest request = opening.request();
        Written written = transactions.transact(
                request.tenant(),
                request.caller().login(),
                Access.WRITE,
                opening.own().isolation(),
                open -> {
                    List<Optional<byte[]>> values = new ArrayList<>();
                    long bytes = 0;
                    var first = new AtomicBoolean(true);
                    Function<Statement, FlushRow> statements = statement -> open.run(
                            opening.settings(),
                            first.getAndSet(false) ? opening.before() : List.of(),
                            statement.text(),
                            statement.binds());
                    for (RootPlan root : roots) {
                        FlushRow row = root instanceof RootPlan.NestedInsert nested
                                ? new NestedInsertRun(statements).run(nested)
                                : statements.apply(StatementSql.writing(root));
                        Optional<byte[]> value = row.bytes(0);
                        bytes += value.map(json -> json.length).orElse(0);
                        Optional<String> refused = refusal(root, row, bytes);
                        if (refused.isPresent()) {
                            return new TransactionSteps.Outcome<>(new Written(List.of(), refused), false);
                        }
                        values.add(value);
                    }
                    return new TransactionSteps.Outcome<>(new Written(values, Optional.empty()), true);
                },
                stop -> request.response().closeHandler(gone -> stop.run()));
        written.refused().ifPresent(message -> {
            throw new ImpactError(message);
        });
        return written.values();
    }

    /** @param bytes of all answers so far */
    private static Optional<String> refusal(RootPlan root, FlushRow row, long bytes) {
        if (exceeds(root, row) && root instanceof RootPlan.Write write) {
            return Optional.of(write.excess());
        }
        return bytes > MAX_BYTES ? Optional.of("The answer is longer than " + MAX_BYTES + " bytes") : Optional.empty();
    }

    /** @param refused why everything was rolled back */
    private record Written(List<Optional<byte[]>> values, Optional<String> refused) {}
}

package svc.graphql;

import graphql.language.Document;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import svc.catalog.ProjectSchema;
import svc.catalog.SchemaCache;
import svc.graphql.document.Documents;
import svc.graphql.document.Operation;
import svc.graphql.error.GraphqlError;
import svc.graphql.introspection.IntrospectionAnswers;
import svc.graphql.plan.OperationPlan;
import svc.graphql.plan.OperationPlanner;
import svc.graphql.plan.RootPlan;
import svc.graphql.request.GraphqlLimits;
import svc.graphql.request.GraphqlRequest;
import svc.graphql.request.InvalidRequest;
import svc.graphql.response.GraphqlAnswer;
import svc.graphql.response.GraphqlAnswer.Entry;
import svc.graphql.schema.GraphqlSchema;
import svc.platform.dataplane.DataPlaneRequest;
import svc.postgres.SqlError;
import svc.postgres.flush.FlushRow;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.request.RequestSettings;

/** Answers operations: schema of the role, plan, statement, transaction. */
final class GraphqlTransactions {
    private final SchemaCache projects;
    private final RoleSchemas schemas;
    private final Documents documents;
    private final IntrospectionAnswers introspection;
    private final OperationRun runs;

    GraphqlTransactions(
            TenantTransactions transactions,
            SchemaCache projects,
            RoleSchemas schemas,
            Documents documents,
            Executor blocking) {
        this.projects = projects;
        this.schemas = schemas;
        this.documents = documents;
        this.introspection = new IntrospectionAnswers(blocking);
        this.runs = new OperationRun(transactions, blocking);
    }

    /** An operation with the document that it was read from. */
    private record Asked(DataPlaneRequest request, GraphqlRequest read, Document document, String role) {}

    /** Whether the schema of the request's role is cached. */
    boolean isKnown(DataPlaneRequest request) {
        return projects.getIfPresent(request.tenant())
                .flatMap(project -> RequestSettings.role(request)
                        .flatMap(role -> schemas.getIfPresent(request.tenant(), project, role)))
                .isPresent();
    }

    /**
     * Does not block. A plan from a stale schema fails, here or in PostgreSQL, and is then made once more from the current
     * one, which is also what introspection shows. Fails with {@link GraphqlError}, {@link SqlError} and {@link
     * svc.postgres.PoolExhausted}.
     */
    CompletableFuture<GraphqlAnswer> answer(DataPlaneRequest request, GraphqlRequest read) {
        String role = RequestSettings.role(request).orElseThrow(() -> new GraphqlError("role \"none\" does not exist"));
        var asked = new Asked(request, read, documents.parse(read.query()), role);
        return projects.getAsync(request.tenant())
                .thenCompose(known -> attempt(asked, known, false).exceptionallyCompose(thrown -> {
                    Throwable refused = cause(thrown);
                    return mayBeStale(refused) ? again(asked, known, refused) : CompletableFuture.failedFuture(refused);
                }));
    }

    private CompletableFuture<GraphqlAnswer> again(Asked asked, ProjectSchema known, Throwable refused) {
        return projects.currentAsync(asked.request().tenant())
                .thenCompose(current ->
                        current.version().equals(known.version()) && !(refused instanceof CurrentSchemaNeeded)
                                ? CompletableFuture.failedFuture(refused)
                                : attempt(asked, current, true));
    }

    /** The cause of a failed stage. */
    static Throwable cause(Throwable thrown) {
        return thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    }

    private static boolean mayBeStale(Throwable error) {
        return switch (error) {
            case GraphqlError unused -> true;
            case CurrentSchemaNeeded unused -> true;
            // Syntax error or access rule violation, data exception, feature not supported: the plan may be stale.
            case SqlError sql -> sql.sqlState().matches("(42|22|0A).*");
            default -> false;
        };
    }

    /** Introspection shows what is there now, and nothing fails when it does not. */
    private static final class CurrentSchemaNeeded extends RuntimeException {
        private static final long serialVersionUID = 1;

        CurrentSchemaNeeded() {
            super("introspection", null, false, false);
        }
    }

    private CompletableFuture<GraphqlAnswer> attempt(Asked asked, ProjectSchema project, boolean current) {
        return schemas.of(asked.request(), project, asked.role()).thenCompose(schema -> answer(asked, schema, current));
    }

    private CompletableFuture<GraphqlAnswer> answer(Asked asked, GraphqlSchema schema, boolean current) {
        var settings = asked.request().tenant().graphql();
        GraphqlLimits limits = GraphqlLimits.of(settings.maxDepth());
        Operation operation = Operation.select(
                asked.document(), asked.read().operationName(), asked.read().variables(), limits);
        if (asked.read().readOnly() && operation.kind() == Operation.Kind.MUTATION) {
            throw new InvalidRequest(405, "Send a mutation with POST");
        }
        OperationPlan plan = OperationPlanner.plan(schema, operation, settings, limits);
        boolean introspects = plan.roots().stream().anyMatch(RootPlan.Introspection.class::isInstance);
        if (introspects && !current) {
            throw new CurrentSchemaNeeded();
        }
        CompletableFuture<List<Optional<byte[]>>> values = plan.needsDatabase()
                ? runs.run(asked.request(), schema.project(), asked.role(), plan)
                : CompletableFuture.completedFuture(List.of());
        if (!introspects) {
            return values.thenApply(all -> GraphqlAnswer.of(entries(plan, all, List.of()), plan.errors()));
        }
        return introspection
                .of(schema, operation, asked.read(), plan)
                .thenCombine(values, (types, all) -> GraphqlAnswer.of(entries(plan, all, types), plan.errors()));
    }

    /** The root fields in order: those of the database, of introspection, and constants. */
    private static List<Entry> entries(OperationPlan plan, List<Optional<byte[]>> values, List<byte[]> types) {
        List<Entry> entries = new ArrayList<>();
        var fromDatabase = values.iterator();
        var fromSchema = types.iterator();
        for (RootPlan root : plan.roots()) {
            entries.add(
                    switch (root) {
                        case RootPlan.Typename typename ->
                            new Entry(
                                    typename.key(),
                                    ("\"" + typename.name() + "\"").getBytes(StandardCharsets.US_ASCII));
                        case RootPlan.Introspection one -> new Entry(one.key(), fromSchema.next());
                        default -> Entry.of(root.key(), fromDatabase.next());
                    });
        }
        return entries;
    }

    /** The columns of a row. */
    static List<Optional<byte[]>> columns(FlushRow row, int count) {
        List<Optional<byte[]>> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            columns.add(row.bytes(i));
        }
        return columns;
    }
}

package svc.graphql;

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
import svc.graphql.document.OperationSize;
import svc.graphql.document.ParsedDocument;
import svc.graphql.error.GraphqlError;
import svc.graphql.introspection.IntrospectionResponses;
import svc.graphql.plan.OperationPlan;
import svc.graphql.plan.OperationPlanner;
import svc.graphql.plan.RootPlan;
import svc.graphql.request.GraphqlLimits;
import svc.graphql.request.GraphqlRequest;
import svc.graphql.request.InvalidRequest;
import svc.graphql.request.RequestMemory;
import svc.graphql.response.GraphqlResponse;
import svc.graphql.response.GraphqlResponse.Entry;
import svc.graphql.schema.GraphqlSchema;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.tenancy.Tenant;
import svc.postgres.SqlError;
import svc.postgres.flush.FlushRow;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.request.RequestSettings;

/** Answers operations: schema of the role, plan, statement, transaction. */
final class GraphqlTransactions {
    /** Parsed in a fraction of a millisecond. */
    private static final int SHORT_DOCUMENT = 4 * 1024;

    /** Of a parsed document whose operation is selected in a fraction of a millisecond. */
    private static final int MAX_SMALL_DOCUMENT = 16 * 1024;

    /** Of the tree of a document, whose smallest nodes have two characters. */
    private static final int PARSED_BYTES_PER_CHARACTER = 60;

    /** Of a value: in the plan, in the statement's binds, and as they are sent. */
    private static final long COPIES = 3;

    /** Syntax error or access rule violation, data exception, feature not supported, no such schema. */
    private static final List<String> STALE_CLASSES = List.of("42", "22", "0A", "3F");

    private final SchemaCache projects;
    private final RoleSchemas schemas;
    private final Documents documents;
    private final IntrospectionResponses introspection;
    private final OperationRun runs;
    private final Executor blocking;

    GraphqlTransactions(
            TenantTransactions transactions,
            SchemaCache projects,
            RoleSchemas schemas,
            Documents documents,
            Executor blocking) {
        this.projects = projects;
        this.schemas = schemas;
        this.documents = documents;
        this.blocking = blocking;
        this.introspection = new IntrospectionResponses(blocking);
        this.runs = new OperationRun(transactions, blocking);
    }

    /** The operation that a request selects of its document. */
    record Selected(GraphqlRequest read, Operation operation) {}

    /** @param planner runs the planning, which takes long for a large operation */
    private record Asked(
            DataPlaneRequest request, Selected selected, String role, RequestMemory memory, Executor planner) {}

    /** Whether the schema of the request's role is cached. */
    boolean isKnown(DataPlaneRequest request) {
        return projects.getIfPresent(request.tenant())
                .flatMap(project -> RequestSettings.role(request)
                        .flatMap(role -> schemas.getIfPresent(request.tenant(), project, role)))
                .isPresent();
    }

    /**
     * The operation of a request, if that is planned in a millisecond. A long document that is not kept is not.
     *
     * @throws GraphqlError for a document that cannot be run
     */
    Optional<Selected> small(Tenant tenant, GraphqlRequest read) {
        if (read.query().length() > MAX_SMALL_DOCUMENT) {
            return Optional.empty();
        }
        Optional<ParsedDocument> document = read.query().length() <= SHORT_DOCUMENT
                ? Optional.of(documents.parse(tenant.ref(), read.query()))
                : documents.getIfPresent(tenant.ref(), read.query());
        return document.map(parsed -> select(tenant, read, parsed))
                .filter(selected -> selected.operation().size().isSmall());
    }

    /** @throws GraphqlError for a document that cannot be run */
    Selected select(Tenant tenant, GraphqlRequest read, RequestMemory memory) {
        memory.hold((long) PARSED_BYTES_PER_CHARACTER * Math.min(read.query().length(), GraphqlLimits.MAX_CHARACTERS));
        return select(tenant, read, documents.parse(tenant.ref(), read.query()));
    }

    private static Selected select(Tenant tenant, GraphqlRequest read, ParsedDocument document) {
        GraphqlLimits limits = GraphqlLimits.of(tenant.graphql().maxDepth());
        return new Selected(read, Operation.select(document, read.operationName(), read.variables(), limits));
    }

    /**
     * Does not block. A plan from a stale schema fails, here or in PostgreSQL, and is then made once more from the current
     * one, which is also what introspection shows. Fails with {@link GraphqlError}, {@link SqlError} and {@link
     * svc.postgres.PoolExhausted}.
     *
     * @param memory holds the values of the statement
     */
    CompletableFuture<GraphqlResponse> answer(DataPlaneRequest request, Selected selected, RequestMemory memory) {
        String role = RequestSettings.role(request).orElseThrow(() -> new GraphqlError("role \"none\" does not exist"));
        OperationSize size = selected.operation().size();
        memory.hold(COPIES * size.values());
        var asked = new Asked(request, selected, role, memory, size.isSmall() ? Runnable::run : blocking);
        return projects.getAsync(request.tenant())
                .thenComposeAsync(
                        known -> attempt(asked, known, false).exceptionallyCompose(thrown -> {
                            Throwable refused = cause(thrown);
                            return mayBeStale(refused)
                                    ? again(asked, known, refused)
                                    : CompletableFuture.failedFuture(refused);
                        }),
                        asked.planner());
    }

    private CompletableFuture<GraphqlResponse> again(Asked asked, ProjectSchema known, Throwable refused) {
        return projects.currentAsync(asked.request().tenant())
                .thenComposeAsync(
                        current ->
                                current.version().equals(known.version()) && !(refused instanceof CurrentSchemaNeeded)
                                        ? CompletableFuture.failedFuture(refused)
                                        : attempt(asked, current, true),
                        asked.planner());
    }

    /** The cause of a failed stage. */
    static Throwable cause(Throwable thrown) {
        return thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    }

    private static boolean mayBeStale(Throwable error) {
        return switch (error) {
            case GraphqlError unused -> true;
            case CurrentSchemaNeeded unused -> true;
            // The plan may be stale.
            case SqlError sql -> STALE_CLASSES.stream().anyMatch(sql.sqlState()::startsWith);
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

    private CompletableFuture<GraphqlResponse> attempt(Asked asked, ProjectSchema project, boolean current) {
        return schemas.of(asked.request(), project, asked.role())
                .thenComposeAsync(schema -> answer(asked, schema, current), asked.planner());
    }

    private CompletableFuture<GraphqlResponse> answer(Asked asked, GraphqlSchema schema, boolean current) {
        var settings = asked.request().tenant().graphql();
        GraphqlLimits limits = GraphqlLimits.of(settings.maxDepth());
        Operation operation = asked.selected().operation();
        GraphqlRequest read = asked.selected().read();
        if (read.readOnly() && operation.kind() == Operation.Kind.MUTATION) {
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
            return values.thenApply(all -> GraphqlResponse.of(entries(plan, all, List.of()), plan.errors()));
        }
        return introspection
                .of(schema, operation, read, plan, asked.memory())
                .thenCombine(values, (types, all) -> GraphqlResponse.of(entries(plan, all, types), plan.errors()));
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

package svc.graphql;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import svc.catalog.ProjectSchema;
import svc.catalog.SchemaScope;
import svc.database.sql.Identifier;
import svc.graphql.cache.SharedCache;
import svc.graphql.schema.GraphqlSchema;
import svc.graphql.schema.GraphqlSchemaBuilder;
import svc.graphql.schema.Privileges;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.tenancy.DisplayedNames;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.Setting;
import svc.postgres.flush.Flush;
import svc.postgres.flush.FlushRow;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;

/**
 * Caches the schemas of roles. A role's privileges are read once for each version of the database's schema, which GRANT and
 * REVOKE change; roles with equal privileges share one schema. Both caches are bounded by their estimated heap size, for all
 * projects of the process together; schemas of older versions are dropped.
 */
final class RoleSchemas {
    /** On the calling thread: cheaper than waking another. */
    private static final Executor HOUSEKEEPING = Runnable::run;

    /** Of the whole budget, what the privileges may take: 1 / 8. */
    private static final int PRIVILEGES_SHARE = 8;

    private record RoleKey(SchemaScope scope, String version, String role) {}

    private record SchemaKey(SchemaScope scope, String version, String fingerprint, boolean extended) {}

    private final TenantTransactions transactions;
    private final Executor builder;
    private final AsyncCache<RoleKey, Privileges> privileges;
    private final SharedCache<SchemaKey, GraphqlSchema> schemas;

    /**
     * @param maxBytes heap of both caches together
     * @param builder builds schemas, which takes tens of milliseconds for hundreds of tables
     */
    RoleSchemas(TenantTransactions transactions, long maxBytes, Executor builder) {
        this.transactions = transactions;
        this.builder = builder;
        this.privileges = Caffeine.newBuilder()
                .maximumWeight(maxBytes / PRIVILEGES_SHARE)
                .weigher((RoleKey key, Privileges of) -> of.estimatedBytes())
                .executor(HOUSEKEEPING)
                .buildAsync();
        this.schemas = new SharedCache<>(
                maxBytes - maxBytes / PRIVILEGES_SHARE, SchemaKey::scope, (key, schema) -> schema.estimatedBytes());
    }

    /** The schema of the role of a request, if it is cached. */
    Optional<GraphqlSchema> getIfPresent(Tenant tenant, ProjectSchema project, String role) {
        SchemaScope scope = SchemaScope.of(tenant);
        return Optional.ofNullable(privileges.getIfPresent(new RoleKey(scope, project.version(), role)))
                .filter(loading -> loading.isDone() && !loading.isCompletedExceptionally())
                .flatMap(known -> schemas.getIfPresent(key(tenant, project, known.join())));
    }

    /** The schema of the role of a request; builds it if absent. Fails with what the pool or PostgreSQL answered. */
    CompletableFuture<GraphqlSchema> of(DataPlaneRequest request, ProjectSchema project, String role) {
        Optional<GraphqlSchema> cached = getIfPresent(request.tenant(), project, role);
        if (cached.isPresent()) {
            return CompletableFuture.completedFuture(cached.get());
        }
        return privileges
                .get(
                        new RoleKey(SchemaScope.of(request.tenant()), project.version(), role),
                        (key, unused) -> load(request, project, role))
                .thenApplyAsync(
                        known -> schemas.getIfPresent(key(request.tenant(), project, known))
                                .orElseGet(() -> keep(request.tenant(), project, known)),
                        builder);
    }

    /** Two requests that build the same schema at one time cost less than a lock. */
    private GraphqlSchema keep(Tenant tenant, ProjectSchema project, Privileges known) {
        GraphqlSchema built = build(tenant, project, known);
        SchemaScope scope = SchemaScope.of(tenant);
        schemas.removeIf(old -> old.scope().equals(scope) && !old.version().equals(project.version()));
        schemas.put(key(tenant, project, known), built);
        return built;
    }

    private static SchemaKey key(Tenant tenant, ProjectSchema project, Privileges privileges) {
        return new SchemaKey(
                SchemaScope.of(tenant),
                project.version(),
                privileges.fingerprint(),
                tenant.graphql().extensions());
    }

    private static GraphqlSchema build(Tenant tenant, ProjectSchema project, Privileges privileges) {
        DisplayedNames names = DisplayedNames.of(tenant);
        UnaryOperator<String> shown = schema -> names.in(schema);
        // Supabase's projects begin with inflection in their main schema; an adopted database says what it wants.
        Optional<String> inflected = tenant.adoption().isPresent()
                ? Optional.empty()
                : Optional.of(tenant.names().schemaName());
        return GraphqlSchemaBuilder.build(
                project, privileges, shown, inflected, tenant.graphql().extensions());
    }

    private CompletableFuture<Privileges> load(DataPlaneRequest request, ProjectSchema project, String role) {
        var asked = new Privileges.Request(project);
        List<Setting> settings = List.of(
                Setting.of(
                        "search_path",
                        request.tenant()
                                .requestSearchPath(
                                        Identifier.of(project.exposed().getFirst()))),
                Setting.of("role", role));
        return run(
                        request,
                        new Flush(
                                Access.READ, settings, Privileges.OBJECTS, asked.binds(), new TransactionEnd.Commit()))
                .thenCompose(row -> {
                    Privileges.Partial partial = asked.partial(row);
                    return partial.isComplete()
                            ? CompletableFuture.completedFuture(partial.complete())
                            : run(
                                            request,
                                            new Flush(
                                                    Access.READ,
                                                    settings,
                                                    Privileges.COLUMNS,
                                                    partial.binds(),
                                                    new TransactionEnd.Commit()))
                                    .thenApply(partial::complete);
                });
    }

    private CompletableFuture<FlushRow> run(DataPlaneRequest request, Flush flush) {
        return transactions
                .start(request.tenant(), request.caller().login(), flush)
                .row();
    }
}

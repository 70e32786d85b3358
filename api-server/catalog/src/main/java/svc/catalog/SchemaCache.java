package svc.catalog;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.postgres.listen.SchemaNotifications;

/**
 * Caches the projects' schemas. A schema is loaded on first use, once for all concurrent callers; the cache is bounded by
 * its estimated heap size.
 *
 * <p>A request sees all DDL that was answered before the request began, although notifications arrive later:
 * <ul>
 *   <li>what PostgreSQL checks again (existence and types of relations, columns, functions) cannot be silently stale: the
 *       statement fails, and the service calls {@link #current} and plans again; {@link ParameterTypes} makes a type of the
 *       cached schema that a statement relies on one of these;
 *   <li>an unknown relation, relationship or function, and an ambiguous one, is an error only after {@link #current} has
 *       confirmed it;
 *   <li>what PostgreSQL does not check again (such as the primary key that defines duplicates) is only read from
 *       {@link #current}.
 * </ul>
 * {@code current} compares the version row that the transaction of the DDL updated. Notifications only make reloads rare.
 *
 * <p>An adopted database has no version row: its version is a sum over the catalog's row versions, which takes a few
 * milliseconds and gives the same guarantee.
 *
 * <p>The exception is the join along a relationship. When only its foreign key was dropped or became unique, the join
 * condition is still valid SQL, and an instance that has not received the notification yet uses the old relationship: the
 * same rows, but an array where an object is now correct. This lasts until the notification arrives (a listener that
 * reconnects drops all cached schemas) or until the next call of {@code current}. A planner that cannot accept this plans
 * joins from {@code current}.
 */
public final class SchemaCache implements SchemaNotifications.Listener {
    /** On the calling thread: cheaper than waking another. Only the loader loads schemas. */
    private static final Executor HOUSEKEEPING = Runnable::run;

    private final SchemaReader reader;
    private final Optional<AdoptedSchemas> adopted;
    private final AsyncCache<SchemaScope, ProjectSchema> schemas;
    private final Executor loader;
    private final Optional<SchemaNotifications> notifications;

    /**
     * @param maxBytes maximum estimated heap size of all schemas together
     * @param loader runs the loads; must not run out of threads when many projects load at once
     * @param notifications notifies of changes in each database with a cached schema
     */
    public SchemaCache(
            SchemaReader reader, long maxBytes, Executor loader, Optional<SchemaNotifications> notifications) {
        this(reader, maxBytes, loader, notifications, Optional.empty());
    }

    /** @param adopted reads adopted databases; empty in a process that serves none */
    public SchemaCache(
            SchemaReader reader,
            long maxBytes,
            Executor loader,
            Optional<SchemaNotifications> notifications,
            Optional<AdoptedSchemas> adopted) {
        this.reader = reader;
        this.adopted = adopted;
        this.notifications = notifications;
        this.loader = loader;
        this.schemas = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((SchemaScope scope, ProjectSchema schema) -> schema.estimatedBytes())
                .executor(HOUSEKEEPING)
                .buildAsync();
    }

    /** The schema of a project from the cache; loads it if absent. */
    public ProjectSchema get(Tenant tenant) {
        return await(getAsync(tenant));
    }

    /** The same without blocking. */
    public CompletableFuture<ProjectSchema> getAsync(Tenant tenant) {
        return find(SchemaScope.of(tenant), source(tenant));
    }

    /** The schema of a project, if it is cached. */
    public Optional<ProjectSchema> getIfPresent(Tenant tenant) {
        return Optional.ofNullable(schemas.getIfPresent(SchemaScope.of(tenant)))
                .filter(loading -> loading.isDone() && !loading.isCompletedExceptionally())
                .map(CompletableFuture::join);
    }

    /** The schema of a scope in a shared database from the cache; loads it if absent. */
    public ProjectSchema get(SchemaScope scope) {
        return get(scope, platform(scope));
    }

    /** The current schema of a project. */
    public ProjectSchema current(Tenant tenant) {
        return current(SchemaScope.of(tenant), source(tenant));
    }

    /** The same without blocking the caller; a thread of the loader waits. */
    public CompletableFuture<ProjectSchema> currentAsync(Tenant tenant) {
        return CompletableFuture.supplyAsync(() -> current(tenant), loader);
    }

    /** The current schema of a scope in a shared database: at least as new as all DDL committed before this call. */
    public ProjectSchema current(SchemaScope scope) {
        return current(scope, platform(scope));
    }

    /** The schema of a scope in the database of a project from the cache; loads it if absent. */
    public ProjectSchema get(SchemaScope scope, Tenant tenant) {
        return get(scope, source(tenant));
    }

    /** The current schema of a scope in the database of a project. */
    public ProjectSchema current(SchemaScope scope, Tenant tenant) {
        return current(scope, source(tenant));
    }

    /** The reader of a database's schemas, and the subscription to its notifications. */
    private record Source(SchemaReader reader, Runnable follow) {}

    private Source source(Tenant tenant) {
        if (tenant.database().server() == Server.PLATFORM) {
            return platform(SchemaScope.of(tenant));
        }
        AdoptedSchemas source =
                adopted.orElseThrow(() -> new IllegalStateException("this process serves shared databases only"));
        return new Source(
                source.reader(tenant), () -> notifications.ifPresent(all -> source.follow(tenant, all, this)));
    }

    private Source platform(SchemaScope scope) {
        return new Source(reader, () -> notifications.ifPresent(all -> all.follow(scope.database(), this)));
    }

    private ProjectSchema get(SchemaScope scope, Source source) {
        return await(find(scope, source));
    }

    private CompletableFuture<ProjectSchema> find(SchemaScope scope, Source source) {
        return schemas.get(scope, (key, unused) -> load(scope, source));
    }

    private ProjectSchema current(SchemaScope scope, Source source) {
        CompletableFuture<ProjectSchema> known = schemas.getIfPresent(scope);
        String version = source.reader().version(scope);
        if (known != null && known.isDone() && !known.isCompletedExceptionally()) {
            ProjectSchema schema = known.join();
            if (schema.version().equals(version)) {
                return schema;
            }
            // Removes only the compared entry: another caller may have loaded the new schema meanwhile.
            schemas.asMap().remove(scope, known);
        }
        ProjectSchema loaded = get(scope, source);
        if (loaded.version().equals(version)) {
            return loaded;
        }
        // The load began before this call, or the schema changed since: a load that begins now is new enough.
        schemas.asMap().remove(scope);
        return get(scope, source);
    }

    @Override
    public void changed(String database, String schema) {
        schemas.asMap().keySet().removeIf(scope -> scope.holds(database, schema));
    }

    @Override
    public void missed(String database) {
        // Dropped without a comparison: only those that are used again are loaded again.
        schemas.asMap().keySet().removeIf(scope -> scope.database().name().equals(database));
    }

    /**
     * Drops the schemas of a database that moved, has a new login or was removed, and stops listening to it until its next
     * use.
     */
    public void forgetDatabase(String database) {
        notifications.ifPresent(all -> all.leave(database));
        missed(database);
    }

    /** Number of schemas that are cached or loading. */
    public int size() {
        return schemas.asMap().size();
    }

    /** Estimated heap size of all cached schemas, in bytes. */
    public long estimatedBytes() {
        schemas.synchronous().cleanUp();
        return schemas.synchronous()
                .policy()
                .eviction()
                .orElseThrow()
                .weightedSize()
                .orElse(0);
    }

    private CompletableFuture<ProjectSchema> load(SchemaScope scope, Source source) {
        source.follow().run();
        return CompletableFuture.supplyAsync(() -> source.reader().read(scope), loader);
    }

    /** Caffeine removes failed loads. */
    private static ProjectSchema await(CompletableFuture<ProjectSchema> loading) {
        try {
            return loading.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }
}

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
 * The projects' schemas, each loaded when it is first used, by one caller while the others wait, and held within a bound
 * of bytes.
 *
 * <p>Why a request sees the DDL that was answered before it began, although a notification takes its time:
 * <ul>
 *   <li>what the planner took from here and PostgreSQL looks at again (that relations, columns, functions exist, their
 *       types) cannot be silently wrong: the statement fails, and the handler asks {@link #current} and plans again;
 *   <li>what is not here is not refused before {@link #current} has confirmed it: a relation, a relationship, a function,
 *       and also a choice between several that a change may have settled;
 *   <li>what PostgreSQL would not look at again (the primary key that a duplicate or a Location is judged by) is only
 *       taken from {@link #current}.
 * </ul>
 * {@code current} compares the version row that the DDL's own transaction changed. Notifications only make all this rare.
 *
 * <p>A database that is not shared has no version row: there the version is a sum over the catalog's own row versions, which
 * costs a few milliseconds and holds the same promise.
 *
 * <p>One thing is neither: the join of an embedded relation. When its foreign key was dropped, or became unique, and nothing
 * else changed, the condition is still valid SQL over columns that exist, and an instance that the notification has not
 * reached yet answers as before the change: the same rows, as an array where an object would now be right. That lasts as
 * long as a notification takes; with none (a listener that is away forgets everything when it comes back), until the
 * next request that asks {@code current}. A planner that must not do this plans embeddings from {@code current}.
 */
public final class SchemaCache implements SchemaNotifications.Listener {
    /** On whichever thread it becomes due: less work than waking another. Schemas are loaded by the loader. */
    private static final Executor HOUSEKEEPING = Runnable::run;

    private final SchemaReader reader;
    private final Optional<AdoptedSchemas> adopted;
    private final AsyncCache<SchemaScope, ProjectSchema> schemas;
    private final Executor loader;
    private final Optional<SchemaNotifications> notifications;

    /**
     * @param maxBytes most heap for all schemas together, as estimated
     * @param loader runs the loading; must not run out of threads when many projects load at once
     * @param notifications tells of changes in each database of which a schema is held
     */
    public SchemaCache(
            SchemaReader reader, long maxBytes, Executor loader, Optional<SchemaNotifications> notifications) {
        this(reader, maxBytes, loader, notifications, Optional.empty());
    }

    /** @param adopted reads adopted databases; empty where none is served */
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

    /** The schemas of a project, as they are known here; loads them if they are not. */
    public ProjectSchema get(Tenant tenant) {
        return await(soon(tenant));
    }

    /** The same without waiting. */
    public CompletableFuture<ProjectSchema> soon(Tenant tenant) {
        return find(SchemaScope.of(tenant), source(tenant));
    }

    /** The schemas of a project, if they are known here. */
    public Optional<ProjectSchema> known(Tenant tenant) {
        return Optional.ofNullable(schemas.getIfPresent(SchemaScope.of(tenant)))
                .filter(loading -> loading.isDone() && !loading.isCompletedExceptionally())
                .map(CompletableFuture::join);
    }

    /** The schemas of a database of the platform's as they are known here; loads them if they are not. */
    public ProjectSchema get(SchemaScope scope) {
        return get(scope, platform(scope));
    }

    /** The schemas of a project as they are now. */
    public ProjectSchema current(Tenant tenant) {
        return current(SchemaScope.of(tenant), source(tenant));
    }

    /** The same without waiting; a thread of the loader's waits. */
    public CompletableFuture<ProjectSchema> currentSoon(Tenant tenant) {
        return CompletableFuture.supplyAsync(() -> current(tenant), loader);
    }

    /**
     * The schemas of a database of the platform's as they are now: at least as new as every DDL that was committed before
     * this call.
     */
    public ProjectSchema current(SchemaScope scope) {
        return current(scope, platform(scope));
    }

    /** Where schemas come from, and who tells of changes there. */
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
            // Only what was looked at: another caller may have loaded the new one meanwhile.
            schemas.asMap().remove(scope, known);
        }
        ProjectSchema loaded = get(scope, source);
        if (loaded.version().equals(version)) {
            return loaded;
        }
        // A load that had begun before this call, or a change since: a load that begins now is new enough.
        schemas.asMap().remove(scope);
        return get(scope, source);
    }

    @Override
    public void changed(String database, String schema) {
        schemas.asMap().keySet().removeIf(scope -> scope.holds(database, schema));
    }

    @Override
    public void missed(String database) {
        // Dropped rather than compared: they are read again when used, and only those that are.
        schemas.asMap().keySet().removeIf(scope -> scope.database().name().equals(database));
    }

    /** Forgets a database that has moved, was given another login, or has gone; used again, it is followed again. */
    public void left(String database) {
        notifications.ifPresent(all -> all.leave(database));
        missed(database);
    }

    /** Schemas held or being loaded. */
    public int size() {
        return schemas.asMap().size();
    }

    /** Estimated heap of all schemas held. */
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

    /** Failed loads leave the cache by themselves. */
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

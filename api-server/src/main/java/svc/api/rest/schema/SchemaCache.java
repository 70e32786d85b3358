package svc.api.rest.schema;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import svc.api.db.SchemaNotifications;
import svc.api.tenancy.Tenant;

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
 * <p>One thing is neither: the join of an embedded relation. When its foreign key was dropped, or became unique, and nothing
 * else changed, the condition is still valid SQL over columns that exist, and an instance that the notification has not
 * reached yet answers as before the change: the same rows, as an array where an object would now be right. That lasts as
 * long as a notification takes; with none (a listener that is away forgets everything when it comes back), until the
 * next request that asks {@code current}. A planner that must not do this plans embeddings from {@code current}.
 */
public final class SchemaCache implements SchemaNotifications.Listener {
    private final SchemaReader reader;
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
        this.reader = reader;
        this.notifications = notifications;
        this.loader = loader;
        this.schemas = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((SchemaScope scope, ProjectSchema schema) -> schema.estimatedBytes())
                .executor(loader)
                .buildAsync();
    }

    /** The schema of a project of a shared database, as it is known here; loads it if it is not. */
    public ProjectSchema get(Tenant tenant) {
        return get(SchemaScope.of(tenant));
    }

    /** The schemas as they are known here; loads them if they are not. */
    public ProjectSchema get(SchemaScope scope) {
        return await(schemas.get(scope, (key, unused) -> load(scope)));
    }

    /** The schema of a project of a shared database as it is now. */
    public ProjectSchema current(Tenant tenant) {
        return current(SchemaScope.of(tenant));
    }

    /** The schemas as they are now: at least as new as every DDL that was committed before this call. */
    public ProjectSchema current(SchemaScope scope) {
        CompletableFuture<ProjectSchema> known = schemas.getIfPresent(scope);
        String version = reader.version(scope);
        if (known != null && known.isDone() && !known.isCompletedExceptionally()) {
            ProjectSchema schema = known.join();
            if (schema.version().equals(version)) {
                return schema;
            }
            // Only what was looked at: another caller may have loaded the new one meanwhile.
            schemas.asMap().remove(scope, known);
        }
        ProjectSchema loaded = get(scope);
        if (loaded.version().equals(version)) {
            return loaded;
        }
        // A load that had begun before this call, or a change since: a load that begins now is new enough.
        schemas.asMap().remove(scope);
        return get(scope);
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

    private CompletableFuture<ProjectSchema> load(SchemaScope scope) {
        notifications.ifPresent(source -> source.follow(scope.database(), this));
        return CompletableFuture.supplyAsync(() -> reader.read(scope), loader);
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

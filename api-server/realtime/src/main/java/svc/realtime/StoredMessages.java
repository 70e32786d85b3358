package svc.realtime;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import svc.database.name.ProjectNames;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.postgres.jdbc.CatalogReader;

/**
 * Finds the projects whose {@code realtime.messages} is published, as it is from their first use of the service on, by the
 * catalogs of the databases whose logs this process reads. Each database is gone through once a day, some projects at a time. Used by one thread; blocks.
 */
final class StoredMessages {
    private static final String SUFFIX = "_realtime";
    private static final Duration PASS = Duration.ofDays(1);

    private static final SqlFragment NEXT = SqlFragment.of("""
            SELECT n.nspname
            FROM pg_catalog.pg_publication p
            JOIN pg_catalog.pg_publication_rel r ON r.prpubid = p.oid
            JOIN pg_catalog.pg_class c ON c.oid = r.prrelid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE p.pubname = 'svc_realtime_messages' AND c.relname = 'messages' AND n.nspname LIKE '%\\_realtime'
              AND n.nspname > ?::pg_catalog.name
            ORDER BY n.nspname
            LIMIT ?::pg_catalog.int8""");

    private final CatalogReader catalog;
    private final Supplier<Set<DatabaseAddress>> read;
    private final int most;
    private final Map<DatabaseAddress, Pass> passes = new HashMap<>();

    /** @param after the last schema that was read; empty when the pass is complete */
    private record Pass(long since, Optional<String> after) {}

    /**
     * @param read databases whose logs this process reads now
     * @param most projects of a database at a time
     */
    StoredMessages(CatalogReader catalog, Supplier<Set<DatabaseAddress>> read, int most) {
        this.catalog = catalog;
        this.read = read;
        this.most = most;
    }

    /** The next projects; none when all were named within a day. @throws svc.postgres.SqlError as the reader does */
    Set<UUID> next() {
        Set<DatabaseAddress> databases = read.get();
        passes.keySet().retainAll(databases);
        Set<UUID> found = new HashSet<>();
        for (DatabaseAddress database : databases) {
            Pass pass = passes.get(database);
            if (pass == null || (pass.after.isEmpty() && System.nanoTime() - pass.since >= PASS.toNanos())) {
                pass = new Pass(System.nanoTime(), Optional.of(""));
            }
            if (pass.after.isPresent()) {
                List<String> schemas =
                        catalog.query(database, NEXT, row -> row.text("nspname"), pass.after.get(), (long) most);
                schemas.forEach(
                        schema -> ProjectNames.projectIdOf(schema.substring(0, schema.length() - SUFFIX.length()))
                                .ifPresent(found::add));
                passes.put(
                        database,
                        new Pass(
                                pass.since, schemas.size() < most ? Optional.empty() : Optional.of(schemas.getLast())));
            }
        }
        return found;
    }
}

package svc.realtime.feed;

import java.util.List;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;

/** Whether the log has the messages of a project, whose table is published a moment after its first use of the service. */
final class MessagesPublication {
    private static final long POLL_MILLIS = 300;

    private static final SqlFragment PUBLISHED = SqlFragment.of("""
            SELECT true AS published
            FROM pg_catalog.pg_publication p
            JOIN pg_catalog.pg_publication_rel r ON r.prpubid = p.oid
            JOIN pg_catalog.pg_class c ON c.oid = r.prrelid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE p.pubname = 'svc_realtime_messages' AND c.relname = 'messages' AND n.nspname = ?::pg_catalog.name""");

    private final FeedResources resources;
    private final Tenant tenant;

    MessagesPublication(FeedResources resources, Tenant tenant) {
        this.resources = resources;
        this.tenant = tenant;
    }

    /** Blocks until it is so. @throws IllegalStateException when that takes too long */
    void await() {
        long end = System.nanoTime() + resources.settings().subscribeTimeout().toNanos();
        while (!isPublished()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("the table of messages is not published");
            }
            pause();
        }
    }

    private boolean isPublished() {
        List<Boolean> found = resources
                .catalog(tenant)
                .query(
                        tenant.database(),
                        PUBLISHED,
                        row -> row.flag("published"),
                        tenant.names().realtime().name());
        return !found.isEmpty();
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the process stops", e);
        }
    }
}

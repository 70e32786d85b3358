package svc.postgres.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import svc.database.key.Purpose;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.postgres.jdbc.CatalogDatabase;
import svc.postgres.listen.SchemaNotifications;
import svc.postgres.pool.PoolSettings;
import svc.testing.TestingProjects;

class DatabaseMovedTest {
    private static final int TRIES = 100;

    @Test
    void aDatabaseThatMovedIsHeardAtItsNewAddress() throws Exception {
        var projects = TestingProjects.create();
        Tenant tenant = projects.project("moved123");
        DatabaseAddress now = tenant.database();
        var before = new DatabaseAddress(now.name(), now.jdbcUrl().replaceFirst(":[0-9]+/", ":1/"));
        var heard = new LinkedBlockingQueue<String>();
        try (var catalog = new CatalogDatabase(
                        () -> projects.platformPassword(Purpose.LOGIN_CATALOG), PoolSettings.defaults());
                var notifications = new SchemaNotifications(catalog, projects.channel())) {
            notifications.follow(before, listener(heard));
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("missed");

            notifications.follow(now, listener(heard));

            assertThat(hearsAChange(projects, tenant, heard)).isTrue();
        }
    }

    @Test
    void aListenerThatFailedHearsWhatComesLater() throws Exception {
        var projects = TestingProjects.create();
        Tenant tenant = projects.project("failed12");
        var heard = new LinkedBlockingQueue<String>();
        var changes = new AtomicInteger();
        SchemaNotifications.Listener working = listener(heard);
        var failing = new SchemaNotifications.Listener() {
            @Override
            public void changed(String database, String schema) {
                if (changes.incrementAndGet() == 1) {
                    throw new IllegalStateException("the listener's own fault");
                }
                working.changed(database, schema);
            }

            @Override
            public void missed(String database) {
                working.missed(database);
            }
        };
        try (var catalog = new CatalogDatabase(
                        () -> projects.platformPassword(Purpose.LOGIN_CATALOG), PoolSettings.defaults());
                var notifications = new SchemaNotifications(catalog, projects.channel())) {
            notifications.follow(tenant.database(), failing);

            assertThat(hearsAChange(projects, tenant, heard)).isTrue();
            assertThat(changes).hasValueGreaterThan(1);
        }
    }

    /** The listener takes its time to connect, so the change is made again until it is heard. */
    private static boolean hearsAChange(TestingProjects projects, Tenant tenant, BlockingQueue<String> heard)
            throws InterruptedException {
        String change = "changed " + tenant.names().schemaName();
        for (int i = 0; i < TRIES; i++) {
            projects.asOwner(tenant, "CREATE TABLE heard" + i + " (id int)");
            for (String said = heard.poll(200, TimeUnit.MILLISECONDS); said != null; said = heard.poll()) {
                if (said.equals(change)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static SchemaNotifications.Listener listener(BlockingQueue<String> heard) {
        return new SchemaNotifications.Listener() {
            @Override
            public void changed(String database, String schema) {
                heard.add("changed " + schema);
            }

            @Override
            public void missed(String database) {
                heard.add("missed");
            }
        };
    }
}

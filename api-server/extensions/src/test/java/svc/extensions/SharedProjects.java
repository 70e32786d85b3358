package svc.extensions;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import svc.database.key.Purpose;
import svc.extensions.project.LiveProjects;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.jdbc.ExtensionDatabase;
import svc.postgres.pool.PoolSettings;
import svc.testing.TestingProjects;

/** Projects of one shared database, each of which can be paused, and the worker's login to it. */
public final class SharedProjects implements AutoCloseable {
    public final TestingProjects database = TestingProjects.create();
    private final Map<String, Tenant> served = new ConcurrentHashMap<>();
    private ExtensionDatabase worker;

    /** A clock that stands still until it is moved. */
    public static final class Time extends Clock {
        private volatile Instant now;

        public Time(String now) {
            this.now = Instant.parse(now);
        }

        public void pass(Duration time) {
            now = now.plus(time);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    public Tenant project(String ref) {
        Tenant tenant = database.project(ref);
        resume(tenant);
        return tenant;
    }

    /** One of another organisation. */
    public Tenant project(String ref, String organization) {
        Tenant made = database.project(ref);
        var tenant = new Tenant(
                made.ref(),
                made.names(),
                made.scope(),
                made.masterKeyVersion(),
                made.keyVersions(),
                made.database(),
                organization,
                made.restUrl(),
                made.rest());
        resume(tenant);
        return tenant;
    }

    public void pause(Tenant tenant) {
        served.remove(tenant.names().schemaName());
    }

    public void resume(Tenant tenant) {
        served.put(tenant.names().schemaName(), tenant);
    }

    public LiveProjects live() {
        TenantDirectory none = new TenantDirectory() {
            @Override
            public Optional<Tenant> find(String ref) {
                return Optional.empty();
            }

            @Override
            public void onChange(Listener listener) {}
        };
        return new LiveProjects(none) {
            @Override
            public Optional<Tenant> find(String schema) {
                return Optional.ofNullable(served.get(schema));
            }
        };
    }

    /** The worker's login; one more connection each time is for a lead. */
    public synchronized ExtensionDatabase worker() {
        if (worker == null) {
            worker = connect();
        }
        return worker;
    }

    public ExtensionDatabase connect() {
        Tenant.DatabaseAddress address = served.values().iterator().next().database();
        return new ExtensionDatabase(
                address,
                () -> database.platformPassword(Purpose.LOGIN_EXTENSIONS),
                PoolSettings.defaults().withCap(4));
    }

    @Override
    public void close() {
        if (worker != null) {
            worker.close();
        }
    }
}

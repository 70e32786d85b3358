package svc.realtime.changes;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import org.awaitility.Awaitility;
import svc.catalog.SchemaCache;
import svc.catalog.SchemaReader;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.database.shared.RealtimePublication;
import svc.platform.dataplane.Caller;
import svc.platform.memory.ByteBudget;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.ProjectPools;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.jdbc.CatalogDatabase;
import svc.postgres.listen.SchemaNotifications;
import svc.postgres.pool.PoolSettings;
import svc.postgres.replication.WalSource;
import svc.realtime.bus.RedisProjectBus;
import svc.realtime.change.ChangeBinding;
import svc.realtime.change.ChangeSubscription;
import svc.realtime.change.DatabaseMessage;
import svc.realtime.change.NumberedBinding;
import svc.realtime.feed.FeedMetrics;
import svc.realtime.feed.FeedResources;
import svc.realtime.feed.FeedSettings;
import svc.realtime.feed.LiveChangeFeed;
import svc.realtime.reader.DatabaseReader;
import svc.realtime.reader.LogRecipients;
import svc.realtime.reader.ProjectTables;
import svc.realtime.reader.ReaderMetrics;
import svc.realtime.reader.ReaderSettings;
import svc.testing.TestingProjects;

/** The change feed as one process of the data plane has it. */
final class TestingFeed implements AutoCloseable {
    /** Long limits, which a busy machine keeps. */
    private static final FeedSettings PATIENT = limits(Duration.ofSeconds(10), Duration.ofSeconds(60));

    private static final FeedSettings HASTY = limits(Duration.ofSeconds(3), Duration.ofSeconds(1));
    private static final ReaderSettings READING =
            new ReaderSettings(Duration.ofMillis(200), Duration.ZERO, OptionalLong.empty(), false);

    private final Vertx vertx = Vertx.vertx();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final BlockingQueue<Broadcast> messages = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> warnings = new LinkedBlockingQueue<>();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RedisProjectBus bus;
    private final CatalogDatabase catalog;
    private final SchemaNotifications notifications;
    private final TenantTransactions transactions;
    private final LiveChangeFeed feed;

    /** A message of a database. */
    record Broadcast(UUID projectId, DatabaseMessage message) {}

    TestingFeed(TestingProjects projects, String redis) {
        this(projects, redis, PATIENT, READING);
    }

    /** Soon stops a slow policy, and soon refuses a table that is not published. */
    static TestingFeed hasty(TestingProjects projects, String redis) {
        return new TestingFeed(projects, redis, HASTY, READING);
    }

    /** Leaves a group or a filter that failed alone for longer than a test takes. */
    static TestingFeed patientWithFaults(TestingProjects projects, String redis) {
        FeedSettings usual = PATIENT;
        var settings = new FeedSettings(
                usual.checkTimeout(),
                usual.checksPerProject(),
                usual.publicationWait(),
                usual.subscribeTimeout(),
                Duration.ofMinutes(10),
                usual.projectBytes(),
                usual.groupBytes());
        return new TestingFeed(projects, redis, settings, READING);
    }

    private static FeedSettings limits(Duration check, Duration publication) {
        return new FeedSettings(
                check, 4, publication, Duration.ofSeconds(60), Duration.ofMillis(500), 16L << 20, 4L << 20);
    }

    TestingFeed(TestingProjects projects, String redis, FeedSettings settings, ReaderSettings reading) {
        bus = new RedisProjectBus(vertx, Redis.createClient(vertx, redis));
        catalog = new CatalogDatabase(
                () -> projects.platformPassword(Purpose.LOGIN_CATALOG),
                PoolSettings.defaults().withCap(3));
        notifications = new SchemaNotifications(catalog, projects.channel());
        transactions = new TenantTransactions(
                new ProjectPools(PoolSettings.defaults(), projects.roots()), Duration.ofSeconds(30));
        var schemas = new SchemaCache(new SchemaReader(catalog), 50_000_000, threads, Optional.of(notifications));
        var metrics = new ReaderMetrics(registry, "tenants");
        feed = new LiveChangeFeed(
                new FeedResources(
                        bus,
                        schemas,
                        catalog,
                        transactions,
                        threads,
                        clock,
                        new ByteBudget(64L << 20),
                        settings,
                        new FeedMetrics(registry)),
                request -> new DatabaseReader(
                        WalSource.shared(
                                request.database(), () -> projects.platformPassword(Purpose.LOGIN_REPLICATION)),
                        new LogRecipients(
                                ProjectTables.shared(),
                                bus,
                                (projectId, message) -> messages.add(new Broadcast(projectId, message)),
                                (projectId, warning) -> warnings.add(projectId + ": " + warning),
                                LogRecipients.unfinishedChanges()),
                        reading,
                        metrics,
                        request.lost()));
    }

    LiveChangeFeed feed() {
        return feed;
    }

    /** Lines of projects' logs, each behind the project's id. */
    BlockingQueue<String> warnings() {
        return warnings;
    }

    BlockingQueue<Broadcast> messages() {
        return messages;
    }

    double count(String metric) {
        return registry.get(metric).counter().count();
    }

    /** Lets the tables be published, as the operator does. */
    static void publish(TestingProjects projects, Tenant tenant, String tables) {
        projects.asOwner(tenant, "CALL svc_statements.publish('ADD', 'supabase_realtime', '{" + tables + "}')");
        apply(projects);
    }

    static void apply(TestingProjects projects) {
        try (Connection superuser = TestingProjects.SERVER.connect(projects.database())) {
            RealtimePublication.apply(superuser);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A session in which each commit is sent on at once, which the test server otherwise does a few times a second. */
    static Connection owner(TestingProjects projects, Tenant tenant) throws SQLException {
        Connection owner = TestingProjects.SERVER.connect(
                projects.database(),
                tenant.names().role(DatabaseRole.OWNER).name(),
                projects.password(tenant, DatabaseRole.OWNER));
        try (Statement session = owner.createStatement()) {
            session.execute("SET synchronous_commit = on");
        }
        return owner;
    }

    /** Changes a setting of the connections that read the log of the database: {@code SET name = value} or {@code RESET ALL}. */
    static void setReader(TestingProjects projects, String setting) {
        projects.asOperator("DO $$BEGIN EXECUTE format('ALTER ROLE svc_replication IN DATABASE %I " + setting
                + "', current_database()); END$$");
    }

    /** Drops the slot of the tenant's database, once nothing reads it any more. */
    static void dropSlot(TestingProjects projects, Tenant tenant) {
        dropSlot(projects, tenant, () -> {});
    }

    /** Drops the slot of the tenant's database though a reader follows it, as an administrator does. */
    static void dropSlotInUse(TestingProjects projects, Tenant tenant) {
        // A reader that was ended begins again soon, and may be first.
        dropSlot(
                projects,
                tenant,
                () -> projects.asOperator("SELECT pg_terminate_backend(active_pid, 5000) FROM pg_replication_slots"
                        + " WHERE database = current_database() AND active"));
    }

    private static void dropSlot(TestingProjects projects, Tenant tenant, Runnable before) {
        var database = WalSource.shared(tenant.database(), () -> projects.platformPassword(Purpose.LOGIN_REPLICATION));
        Awaitility.await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
            before.run();
            database.drop();
            return true;
        });
    }

    /** The first column of the first row, in a session in UTC whose search path is the project's schema. */
    static String ask(TestingProjects projects, Tenant tenant, String query) {
        try (Connection superuser = TestingProjects.SERVER.connect(projects.database());
                var statement = superuser.createStatement()) {
            statement.execute(
                    "SET timezone = 'UTC'; SET search_path = " + tenant.names().schemaName() + ", pg_catalog");
            try (var rows = statement.executeQuery(query)) {
                return rows.next() ? rows.getString(1) : null;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    /** As the platform's own services. */
    static void asSystem(TestingProjects projects, Tenant tenant, String sql) {
        try (Connection system = TestingProjects.SERVER.connect(
                        projects.database(),
                        tenant.names().role(DatabaseRole.SYSTEM).name(),
                        projects.password(tenant, DatabaseRole.SYSTEM));
                var statement = system.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    static Caller user(String claims) {
        return new Caller(DatabaseRole.API, DatabaseRole.AUTHENTICATED, Optional.empty(), claims, Optional.of("token"));
    }

    static Caller userCalled(String sub) {
        return user("{\"role\":\"authenticated\",\"sub\":\"" + sub + "\"}");
    }

    static NumberedBinding binding(int id, String event, String table) {
        return binding(id, event, table, null, null);
    }

    static NumberedBinding binding(int id, String event, String table, String filter, List<String> select) {
        return new NumberedBinding(
                id,
                new ChangeBinding(
                        event,
                        "public",
                        Optional.ofNullable(table),
                        Optional.ofNullable(filter),
                        Optional.ofNullable(select)));
    }

    /** Subscribes and waits until it is. */
    Recorded subscribed(Tenant tenant, Caller caller, NumberedBinding... bindings) {
        Recorded recorded = subscribe(tenant, caller, bindings);
        recorded.awaitSubscribed();
        return recorded;
    }

    Recorded subscribe(Tenant tenant, Caller caller, NumberedBinding... bindings) {
        var recorded = new Recorded();
        ChangeSubscription subscription = feed.subscribe(tenant, caller, List.of(bindings), recorded);
        recorded.is(subscription);
        return recorded;
    }

    /** As a process that is killed: its connections end. */
    @Override
    public void close() {
        feed.close();
        bus.close();
        notifications.close();
        transactions.close();
        catalog.close();
        clock.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        threads.shutdownNow();
    }
}

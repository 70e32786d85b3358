package svc.operator.watch;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.operator.database.DatabaseLogin;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.TestingDatabases;
import svc.operator.testing.TestingOperator;
import svc.operator.watch.database.ServerWatch;
import svc.operator.watch.rule.Action;
import svc.operator.watch.rule.WatchLimits;

/** Projects on a real server, and a watch whose actions are recorded. */
public final class TestingWatch implements AutoCloseable, WatchListener {
    /** As in production, but for what a test changes. */
    public static final WatchLimits LIMITS = new WatchLimits(
            1,
            Duration.ofSeconds(90),
            Duration.ofMinutes(6),
            Duration.ofSeconds(10),
            4L << 30,
            6,
            Duration.ofMinutes(10),
            2,
            new WatchLimits.Rates(1, 2L << 30),
            Duration.ofSeconds(2));

    private final TestingDatabases databases;
    private final ServerWatch watch;
    private final List<Action> actions = new CopyOnWriteArrayList<>();
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();

    private TestingWatch(TestingDatabases databases, WatchLimits limits) {
        this.databases = databases;
        this.watch = new ServerWatch(
                login(databases), new WatchSettings(Duration.ofMillis(250), 0.125, limits), this, Clock.systemUTC());
    }

    /** Started, on the databases. */
    public static TestingWatch on(TestingDatabases databases, WatchLimits limits) {
        var watching = new TestingWatch(databases, limits);
        watching.watch.start();
        return watching;
    }

    public static DatabaseLogin login(TestingDatabases databases) {
        EmbeddedPostgres server = databases.server();
        return new DatabaseLogin(
                "shared",
                server.jdbcUrl(databases.sharedName()),
                EmbeddedPostgres.OPERATOR,
                server::operatorPassword,
                2);
    }

    public ProjectRecord project(String name) {
        var result = databases.projects().provision(TestingDatabases.request(name, databases));
        return ((ProvisionResult.Provisioned) result).project();
    }

    public Connection owner(ProjectRecord project) throws SQLException {
        return databases.login(project, DatabaseRole.OWNER);
    }

    /** Runs a script as the project's owner, in the background; the result is its SQLSTATE, or empty. */
    public Future<String> running(ProjectRecord project, String sql) {
        return calls.submit(() -> {
            try (Connection connection = owner(project)) {
                TestingDatabases.execute(connection, sql);
                return "";
            } catch (SQLException e) {
                return e.getSQLState();
            }
        });
    }

    public void run(ProjectRecord project, String sql) {
        try (Connection connection = owner(project)) {
            TestingDatabases.execute(connection, sql);
        } catch (SQLException e) {
            throw new IllegalStateException("while running " + sql, e);
        }
    }

    public static <T> T result(Future<T> call) throws InterruptedException {
        try {
            return call.get(TestingOperator.LIMIT.toSeconds(), java.util.concurrent.TimeUnit.SECONDS);
        } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    public List<Action> actions(ProjectRecord project) {
        UUID id = project.projectId();
        return actions.stream()
                .filter(action -> action.owner().filter(id::equals).isPresent())
                .toList();
    }

    public <T extends Action> T await(ProjectRecord project, Class<T> kind) {
        return Awaitility.await(kind.getSimpleName())
                .atMost(TestingOperator.LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .until(
                        () -> actions(project).stream()
                                .filter(kind::isInstance)
                                .map(kind::cast)
                                .findFirst()
                                .orElse(null),
                        found -> found != null);
    }

    @Override
    public void acted(String database, Action action) {
        actions.add(action);
    }

    @Override
    public void quarantineChanged(UUID project) {
        // Not a part of these tests.
    }

    @Override
    public void close() {
        watch.close();
        calls.shutdownNow();
    }
}

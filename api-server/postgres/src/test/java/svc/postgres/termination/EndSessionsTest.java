package svc.postgres.termination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.key.LoginSecret;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.platform.tenancy.Tenant;
import svc.postgres.Login;
import svc.testing.TestingProjects;

/** What the platform's functions on sessions and logins do, and for whom. */
class EndSessionsTest {
    private static TestingProjects projects;
    private static Tenant tenant;

    @BeforeAll
    static void layOut() {
        projects = TestingProjects.create();
        tenant = projects.project("ending01");
    }

    private static Connection as(DatabaseRole role) throws SQLException {
        return TestingProjects.SERVER.connect(
                projects.database(), tenant.names().role(role).name(), projects.password(tenant, role));
    }

    private static Login platform(String login, Purpose purpose) {
        return new Login(
                TestingProjects.SERVER.jdbcUrl(projects.database()), login, () -> projects.platformPassword(purpose));
    }

    private static Login catalog() {
        return platform("svc_catalog", Purpose.LOGIN_CATALOG);
    }

    private static Backend backend(Connection session, DatabaseRole role) throws SQLException {
        long began = Long.parseLong(ask(session, "SELECT svc_functions.session_began()"));
        int pid = Integer.parseInt(ask(session, "SELECT pg_backend_pid()"));
        return new Backend(pid, began, tenant.names().role(role).name());
    }

    private static String ask(Connection session, String sql) throws SQLException {
        try (Statement statement = session.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"API", "SERVICE", "SYSTEM"})
    void sessionsOfTheDataPlaneAreEnded(DatabaseRole role) throws Exception {
        try (Connection session = as(role)) {
            var ender = new PlatformSessionEnder(catalog(), Duration.ofDays(1));
            assertThat(ender.end(backend(session, role))).succeedsWithin(60, TimeUnit.SECONDS);
            assertThatThrownBy(() -> ask(session, "SELECT 1")).isInstanceOf(SQLException.class);
            ender.close();
        }
    }

    /** A tenant chose the server, which accepts connections and never answers. */
    @Test
    void aServerThatNeverAnswersKeepsTheEndsOfNoOtherWaiting() throws Exception {
        var open = new AtomicInteger();
        var max = new AtomicInteger();
        try (var silent = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
                Connection session = TestingProjects.SERVER.connect("postgres")) {
            Thread.startVirtualThread(() -> acceptAll(silent, open, max));
            var hostile = new OwnSessionEnder(
                    new Login("jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/x", "x", () -> "x"));
            for (int i = 0; i < 12; i++) {
                var unused = hostile.end(new Backend(i, 0, "x"));
            }
            await().until(() -> max.get() > 1);
            var neighbour = new OwnSessionEnder(new Login(
                    TestingProjects.SERVER.jdbcUrl("postgres"),
                    EmbeddedPostgres.OPERATOR,
                    TestingProjects.SERVER::operatorPassword));
            int pid = Integer.parseInt(ask(session, "SELECT pg_backend_pid()"));
            assertThat(neighbour.end(new Backend(pid, 0, EmbeddedPostgres.OPERATOR)))
                    .succeedsWithin(60, TimeUnit.SECONDS);
            assertThatThrownBy(() -> ask(session, "SELECT 1")).isInstanceOf(SQLException.class);
        }
        // Two, and those of which the end was not seen yet; eight are for all.
        assertThat(max.get()).isLessThanOrEqualTo(4);
    }

    /** Counts the connections that are open at the same time. */
    private static void acceptAll(ServerSocket server, AtomicInteger open, AtomicInteger max) {
        try {
            while (true) {
                Socket accepted = server.accept();
                max.accumulateAndGet(open.incrementAndGet(), Math::max);
                Thread.startVirtualThread(() -> {
                    try (accepted) {
                        accepted.getInputStream().transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        // Closed by the other side.
                    } finally {
                        open.decrementAndGet();
                    }
                });
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    @Test
    void noOtherSessionIsEnded() throws Exception {
        try (Connection api = as(DatabaseRole.API);
                Connection owner = as(DatabaseRole.OWNER);
                PlatformSessions sessions = PlatformSessions.open(catalog())) {
            Backend known = backend(api, DatabaseRole.API);
            Backend owners = backend(owner, DatabaseRole.OWNER);
            String service = tenant.names().role(DatabaseRole.SERVICE).name();
            Set<Integer> running = sessions.end(List.of(
                    new Backend(known.pid(), known.began() - 1, known.login()),
                    new Backend(known.pid(), known.began(), service),
                    owners,
                    new Backend(owners.pid(), owners.began(), known.login())));
            assertThat(running).isEmpty();
            assertThat(ask(api, "SELECT 1")).isEqualTo("1");
            assertThat(ask(owner, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void aTransactionThatItsProcessLeftIsEnded() throws Exception {
        try (Connection left = as(DatabaseRole.SERVICE);
                Connection works = as(DatabaseRole.API);
                PlatformSessions sessions = PlatformSessions.open(catalog())) {
            left.setAutoCommit(false);
            ask(left, "SELECT 1");
            assertThat(sessions.endOverdue(Duration.ZERO))
                    .as("a minute at least")
                    .isZero();
            assertThat(ask(left, "SELECT 1")).isEqualTo("1");
            assertThat(ask(works, "SELECT 1")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT svc_functions.end_sessions('{1}', '{1}', '{a}')",
                "SELECT svc_functions.end_overdue_sessions('1 hour')",
                "SELECT svc_functions.restore_login('a', 'b')"
            })
    void noTenantMayCallThem(String call) throws Exception {
        for (DatabaseRole role : List.of(DatabaseRole.OWNER, DatabaseRole.API, DatabaseRole.SERVICE)) {
            try (Connection session = as(role)) {
                assertThatThrownBy(() -> ask(session, call))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                refused -> assertThat(refused.getSQLState()).isEqualTo("42501"));
            }
        }
    }

    private static String verifier(DatabaseRole role) {
        return LoginSecret.of(projects.roots()
                        .require(Purpose.ofLogin(role).orElseThrow(), 1)
                        .leaf(tenant.scope()))
                .scramVerifier();
    }

    private static boolean restore(Login by, DatabaseRole role, String verifier) throws SQLException {
        try (Connection session = by.open();
                var statement = session.prepareStatement("SELECT svc_functions.restore_login(?, ?)")) {
            statement.setString(1, tenant.names().role(role).name());
            statement.setString(2, verifier);
            try (var row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    @Test
    void aLoginsPasswordIsSetAgainToTheOneThatTheOperatorGaveIt() throws Exception {
        Login control = platform("svc_platform", Purpose.LOGIN_PLATFORM);
        for (DatabaseRole role : List.of(DatabaseRole.OWNER, DatabaseRole.API)) {
            Login by = role == DatabaseRole.OWNER ? control : catalog();
            Login other = role == DatabaseRole.OWNER ? catalog() : control;
            try (Connection session = as(role);
                    Statement statement = session.createStatement()) {
                statement.execute("ALTER ROLE " + tenant.names().role(role).sql() + " PASSWORD 'mine now'");
            }
            assertThatThrownBy(() -> as(role)).isInstanceOf(SQLException.class);

            assertThat(restore(by, role, "mine now")).as("not the operator's").isFalse();
            assertThat(restore(other, role, verifier(role))).as("another level").isFalse();
            assertThat(restore(by, role, verifier(role))).isTrue();

            as(role).close();
        }
    }

    /** PostgreSQL lets a login change its password and its settings, and nothing else of itself. */
    @ParameterizedTest
    @ValueSource(strings = {"CONNECTION LIMIT 0", "VALID UNTIL '2000-01-01'", "NOLOGIN", "BYPASSRLS", "INHERIT"})
    void aLoginCannotCloseItself(String attribute) throws Exception {
        for (DatabaseRole role : List.of(DatabaseRole.OWNER, DatabaseRole.API, DatabaseRole.SERVICE)) {
            try (Connection session = as(role);
                    Statement statement = session.createStatement()) {
                assertThatThrownBy(() -> statement.execute(
                                "ALTER ROLE " + tenant.names().role(role).sql() + " " + attribute))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                refused -> assertThat(refused.getSQLState()).isEqualTo("42501"));
            }
        }
    }
}

package svc.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.PoolExhausted;
import svc.postgres.Setting;
import svc.postgres.SqlError;
import svc.postgres.flush.Flush;
import svc.postgres.flush.ProjectPools;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;
import svc.testing.TestingProjects;

class ProjectPoolsTest {
    private static final int PROJECTS = 6;

    private static TestingProjects projects;
    private static List<Tenant> tenants;

    private ProjectPools pools;
    private TenantTransactions transactions;

    @BeforeAll
    static void layOut() {
        projects = TestingProjects.create();
        tenants = new ArrayList<>();
        for (int i = 0; i < PROJECTS; i++) {
            tenants.add(projects.project("pool000" + i));
        }
    }

    private void open(PoolSettings settings) {
        pools = new ProjectPools(settings, projects.roots());
        transactions = new TenantTransactions(pools, Duration.ofSeconds(30));
    }

    @AfterEach
    void close() {
        transactions.close();
    }

    private long run(Tenant tenant, Access access, SqlFragment query) {
        var flush = new Flush(
                access,
                List.of(Setting.of(
                        "role", tenant.names().role(DatabaseRole.ANON).name())),
                query,
                List.of(),
                new TransactionEnd.Commit());
        return transactions.run(tenant, DatabaseRole.API, flush).number(0);
    }

    private long backend(Tenant tenant) {
        return run(tenant, Access.READ, SqlFragment.of("SELECT pg_backend_pid()"));
    }

    private long sessions() {
        return Long.parseLong(projects.ask("SELECT count(*) FROM pg_stat_activity WHERE datname = '"
                + projects.database() + "' AND usename LIKE 'proj%'"));
    }

    private void awaitAsleep(int queries) {
        Awaitility.await(queries + " queries asleep")
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> projects.ask("SELECT count(*) FROM pg_stat_activity WHERE datname = '"
                                + projects.database() + "' AND wait_event = 'PgSleep'")
                        .equals(String.valueOf(queries)));
    }

    @Test
    void nothingIsOpenBeforeTheFirstRequest() {
        open(PoolSettings.defaults());
        assertThat(pools.openConnections()).isZero();
        long backend = backend(tenants.get(0));
        assertThat(backend(tenants.get(0))).isEqualTo(backend);
        assertThat(pools.openConnections()).isOne();
    }

    @Test
    void theOneIdleLongestMakesRoomAtTheCap() {
        open(PoolSettings.defaults().withCap(3));
        long first = backend(tenants.get(0));
        long second = backend(tenants.get(1));
        long third = backend(tenants.get(2));
        assertThat(backend(tenants.get(0))).isEqualTo(first);
        backend(tenants.get(3));
        assertThat(pools.openConnections()).isEqualTo(3);
        assertThat(backend(tenants.get(0))).as("used recently").isEqualTo(first);
        assertThat(backend(tenants.get(2))).isEqualTo(third);
        assertThat(backend(tenants.get(1))).as("was idle longest").isNotEqualTo(second);
    }

    @Test
    void aSpareConnectionMakesRoomBeforeAnotherProjectsOnlyOne() throws Exception {
        open(PoolSettings.defaults().withCap(3));
        long only = backend(tenants.get(0));
        SqlFragment slow = SqlFragment.of("SELECT pg_backend_pid() FROM pg_sleep(2)");
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Long> one = callers.submit(() -> run(tenants.get(1), Access.READ, slow));
            Future<Long> other = callers.submit(() -> run(tenants.get(1), Access.READ, slow));
            assertThat(one.get()).isNotEqualTo(other.get());
        }
        backend(tenants.get(2));
        assertThat(pools.openConnections()).isEqualTo(3);
        assertThat(backend(tenants.get(0))).as("idle longest, but its only one").isEqualTo(only);
    }

    @Test
    void whoLooksWhileAConnectionArrivesOpensNoSecondOne() throws Exception {
        open(PoolSettings.defaults());
        var done = new AtomicBoolean();
        try (ExecutorService lookers = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < 2; i++) {
                lookers.execute(() -> {
                    while (!done.get()) {
                        pools.tend();
                    }
                });
            }
            try {
                for (int round = 0; round < 20; round++) {
                    tenants.forEach(this::backend);
                    assertThat(pools.openConnections()).isEqualTo(PROJECTS);
                    tenants.forEach(tenant -> pools.invalidate(tenant.ref()));
                }
            } finally {
                done.set(true);
            }
        }
    }

    /** They wait for the disk, and those that wait together are flushed together. */
    @Test
    void quickWritesGetAConnectionEachToo() {
        open(PoolSettings.defaults());
        Tenant tenant = tenants.get(0);
        // Where logins are slow for the moment, a crowd may be served before the last of them.
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Long>> answers = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    answers.add(callers.submit(() -> run(tenant, Access.WRITE, SqlFragment.of("SELECT 1"))));
                }
                for (Future<Long> answer : answers) {
                    answer.get(30, TimeUnit.SECONDS);
                }
            }
            assertThat(pools.openConnections())
                    .isEqualTo(PoolSettings.defaults().perLogin());
        });
    }

    @Test
    void slowQueriesGetAConnectionEach() throws Exception {
        open(PoolSettings.defaults());
        Tenant tenant = tenants.get(0);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> answers = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                answers.add(
                        callers.submit(() -> run(tenant, Access.READ, SqlFragment.of("SELECT 1 FROM pg_sleep(5)"))));
            }
            awaitAsleep(12);
            assertThat(pools.openConnections()).isEqualTo(12);
            for (Future<Long> answer : answers) {
                answer.get(30, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void moreProjectsThanConnectionsAreServedAtOnce() throws Exception {
        open(PoolSettings.defaults().withCap(3).withPerLogin(2));
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> answers = new ArrayList<>();
            for (int i = 0; i < 120; i++) {
                Tenant tenant = tenants.get(i % PROJECTS);
                answers.add(callers.submit(() -> backend(tenant)));
            }
            for (Future<Long> answer : answers) {
                assertThat(answer.get(30, TimeUnit.SECONDS)).isPositive();
            }
        }
        assertThat(pools.openConnections()).isLessThanOrEqualTo(3);
        // The server forgets a session a moment after its connection was closed.
        Awaitility.await().untilAsserted(() -> assertThat(sessions()).isLessThanOrEqualTo(3));
    }

    @Test
    void aBusyProjectDoesNotStarveAnother() throws Exception {
        open(PoolSettings.defaults().withCap(2).withPerLogin(2));
        Tenant busy = tenants.get(0);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> queue = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                queue.add(callers.submit(() -> run(busy, Access.READ, SqlFragment.of("SELECT 1 FROM pg_sleep(0.3)"))));
            }
            awaitAsleep(2);
            backend(tenants.get(1));
            assertThat(queue.stream().filter(Future::isDone).count())
                    .as("the newcomer did not wait for the whole queue")
                    .isLessThan(36);
            for (Future<Long> answer : queue) {
                answer.get(30, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void aCallerWaitsNoLongerThanPromised() throws Exception {
        open(PoolSettings.defaults().withCap(1).withAcquireTimeout(Duration.ofMillis(1500)));
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Long> holder =
                    callers.submit(() -> run(tenants.get(0), Access.READ, SqlFragment.of("SELECT 1 FROM pg_sleep(5)")));
            awaitAsleep(1);
            assertThatThrownBy(() -> backend(tenants.get(1))).isInstanceOf(PoolExhausted.class);
            assertThat(holder.get()).isOne();
        }
        assertThat(backend(tenants.get(1))).isPositive();
    }

    @Test
    void idleConnectionsCloseAndLeaveNothing() throws Exception {
        open(PoolSettings.defaults().withIdle(Duration.ofSeconds(4)));
        tenants.forEach(this::backend);
        assertThat(pools.openConnections()).isEqualTo(PROJECTS);
        Awaitility.await("the server to have seen the last of them")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(sessions()).isZero());
        assertThat(pools.openConnections()).isZero();
        assertThat(pools.knownLogins()).isZero();
    }

    @Test
    void aTerminatedSessionIsReplaced() throws Exception {
        open(PoolSettings.defaults());
        Tenant tenant = tenants.get(0);
        for (Access access : Access.values()) {
            long before = backend(tenant);
            projects.ask("SELECT pg_terminate_backend(" + before + ", 5000)");
            assertThat(run(tenant, access, SqlFragment.of("SELECT pg_backend_pid()")))
                    .as("at once, %s", access)
                    .isNotEqualTo(before);
        }
        long before = backend(tenant);
        projects.ask("SELECT pg_terminate_backend(" + before + ", 5000)");
        Thread.sleep(1_200);
        assertThat(run(tenant, Access.WRITE, SqlFragment.of("SELECT pg_backend_pid()")))
                .isNotEqualTo(before);
    }

    @Test
    void aRotatedPasswordNeedsTheNewVersion() {
        open(PoolSettings.defaults());
        Tenant before = tenants.get(5);
        backend(before);
        Tenant rotated = withKeyVersion(before, 2);
        projects.setPassword(rotated, DatabaseRole.API, 2);
        assertThat(backend(rotated)).as("a new login, a new connection").isPositive();
        pools.invalidate(before.ref());
        assertThat(pools.openConnections()).isZero();
        assertThatThrownBy(() -> backend(before))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.sqlState()).isEqualTo("28P01"));
        assertThat(pools.openConnections()).isZero();
        assertThat(backend(rotated)).isPositive();
        projects.setPassword(before, DatabaseRole.API, 1);
    }

    @Test
    void aChangedProjectLosesItsConnectionsAlsoThoseInUse() throws Exception {
        open(PoolSettings.defaults());
        Tenant tenant = tenants.get(0);
        long neighbour = backend(tenants.get(1));
        long before = backend(tenant);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Long> inUse =
                    callers.submit(() -> run(tenant, Access.READ, SqlFragment.of("SELECT 1 FROM pg_sleep(0.5)")));
            Thread.sleep(200);
            pools.invalidate(tenant.ref());
            assertThat(inUse.get()).isOne();
        }
        assertThat(backend(tenant)).isNotEqualTo(before);
        assertThat(backend(tenants.get(1))).isEqualTo(neighbour);
    }

    private static Tenant withKeyVersion(Tenant tenant, int version) {
        return new Tenant(
                tenant.ref(),
                tenant.names(),
                tenant.scope(),
                tenant.masterKeyVersion(),
                Map.of(Purpose.API, Set.of(1, version)),
                tenant.database(),
                tenant.organization(),
                tenant.restUrl(),
                tenant.rest());
    }
}

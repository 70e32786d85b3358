package svc.postgres.termination;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.Login;
import svc.postgres.Setting;
import svc.postgres.flush.Flush;
import svc.postgres.flush.ProjectPools;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;
import svc.postgres.pool.PoolSettings;
import svc.postgres.pool.PoolShares;
import svc.postgres.wire.WireLoops;
import svc.testing.TestingProjects;

/**
 * Functions that lift every timeout of their session and catch every cancellation, in several projects at once: a
 * neighbour is served meanwhile, and their backends are gone soon after their deadline.
 */
class HangingFunctionsTest {
    private static final int CALLS = 20;
    private static final Duration LIMIT = Duration.ofMillis(1500);

    private static final SqlFragment HANG = SqlFragment.of("SELECT hang()");
    private static final SqlFragment ONE = SqlFragment.of("SELECT 1");

    private static TestingProjects projects;
    private static List<Tenant> attackers;
    private static Tenant neighbour;

    private ProjectPools pools;
    private TenantTransactions transactions;

    /** Without the attackers' short limit: a busy machine may be slow to answer the neighbour. */
    private TenantTransactions neighbours;

    @BeforeAll
    static void layOut() {
        projects = TestingProjects.create();
        attackers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Tenant attacker = of("attackers" + i, projects.project("hangs00" + i));
            // What is revoked of the catalog is of no use against this: a loop in PL/pgSQL suffices.
            projects.asOwner(attacker, """
                    CREATE FUNCTION hang() RETURNS int LANGUAGE plpgsql SET statement_timeout = '10min' AS $$
                    BEGIN
                        PERFORM set_config('client_connection_check_interval', '0', false),
                            set_config('transaction_timeout', '0', false),
                            set_config('idle_in_transaction_session_timeout', '0', false);
                        LOOP
                            BEGIN
                                PERFORM pg_sleep(1);
                            EXCEPTION WHEN query_canceled THEN
                                NULL;
                            END;
                        END LOOP;
                    END $$;
                    GRANT EXECUTE ON FUNCTION hang() TO PUBLIC""");
            attackers.add(attacker);
        }
        neighbour = of("neighbours", projects.project("besides1"));
    }

    private static Tenant of(String organization, Tenant tenant) {
        return new Tenant(
                tenant.ref(),
                tenant.names(),
                tenant.scope(),
                tenant.masterKeyVersion(),
                tenant.keyVersions(),
                tenant.database(),
                organization,
                tenant.restUrl(),
                tenant.rest());
    }

    private void open(PoolSettings settings) {
        var enders = new SessionEnders(jdbcUrl ->
                Optional.of(new Login(jdbcUrl, "svc_catalog", () -> projects.platformPassword(Purpose.LOGIN_CATALOG))));
        pools = new ProjectPools(settings, projects.roots(), WireLoops.dedicated(), enders);
        transactions = new TenantTransactions(pools, LIMIT);
        neighbours = new TenantTransactions(pools, Duration.ofSeconds(30));
    }

    @AfterEach
    void close() {
        neighbours.close();
        transactions.close();
    }

    private long run(Tenant attacker, Access access, SqlFragment query) {
        return run(transactions, attacker, access, query);
    }

    private long readBeside() {
        return run(neighbours, neighbour, Access.READ, ONE);
    }

    private static long run(TenantTransactions transactions, Tenant tenant, Access access, SqlFragment query) {
        var flush = new Flush(
                access,
                List.of(Setting.of(
                        "role", tenant.names().role(DatabaseRole.ANON).name())),
                query,
                List.of(),
                new TransactionEnd.Commit());
        return transactions.run(tenant, DatabaseRole.API, flush).number(0);
    }

    private static int running(String who) {
        return Integer.parseInt(projects.ask("SELECT count(*) FROM pg_stat_activity WHERE datname = '"
                + projects.database() + "' AND state = 'active' AND usename ~ '" + who + "'"));
    }

    private static String attackersLogins() {
        return String.join(
                "|",
                attackers.stream().map(tenant -> tenant.names().schemaName()).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ", "WRITE"})
    void aNeighbourIsServedAndNoBackendIsLeft(Access access) throws Exception {
        open(PoolSettings.defaults()
                .withCap(16)
                .withAcquireTimeout(Duration.ofSeconds(10))
                .withIdle(Duration.ofSeconds(1))
                .withShares(new PoolShares(8, 8, 100)));
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> calls = new ArrayList<>();
            for (Tenant attacker : attackers) {
                for (int i = 0; i < CALLS; i++) {
                    calls.add(callers.submit(() -> run(attacker, access, HANG)));
                }
            }
            Awaitility.await("the attack to take what it can get")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> running(attackersLogins()) >= 8);
            int reads = 0;
            while (!calls.stream().allMatch(Future::isDone)) {
                assertThat(readBeside()).isOne();
                reads++;
                Thread.sleep(20);
            }
            assertThat(reads).as("reads beside the attack").isGreaterThan(10);
            assertThat(calls)
                    .as("none returns")
                    .allSatisfy(call -> assertThat(call.state()).isEqualTo(Future.State.FAILED));
        }
        Awaitility.await("their backends to be gone")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(running(attackersLogins())).isZero());
        Awaitility.await("all places to be free, those as well that were opened for callers that had gone")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(pools.openConnections()).isZero());
    }

    @ParameterizedTest
    @EnumSource(
            value = DatabaseRole.class,
            names = {"API", "SERVICE"})
    void aLoginThatChangedItsPasswordIsServedAgainAtOnce(DatabaseRole role) {
        open(PoolSettings.defaults());
        projects.asOperator("ALTER ROLE " + neighbour.names().role(role).sql() + " PASSWORD 'mine now'");
        var flush = new Flush(Access.READ, List.of(), ONE, List.of(), new TransactionEnd.Commit());
        assertThat(neighbours.run(neighbour, role, flush).number(0)).isOne();
    }

    /** They end what the clock cannot see, of a process that is gone; code of a tenant can lift them all the same. */
    @ParameterizedTest
    @CsvSource({"transaction_timeout, 1d", "client_connection_check_interval, 2s"})
    void theSessionBeginsWithLimits(String setting, String expected) {
        open(PoolSettings.defaults());
        var flush = new Flush(
                Access.READ,
                List.of(),
                SqlFragment.of("SELECT (current_setting(?) = ?)::int"),
                List.of(setting, expected),
                new TransactionEnd.Commit());
        for (int i = 0; i < 2; i++) {
            assertThat(neighbours.run(neighbour, DatabaseRole.API, flush).number(0))
                    .isOne();
        }
        projects.asOperator("ALTER ROLE "
                + neighbour.names().role(DatabaseRole.API).sql() + " SET client_connection_check_interval = 0");
        pools.invalidate(neighbour.ref());
        assertThat(neighbours.run(neighbour, DatabaseRole.API, flush).number(0)).isOne();
    }

    @Test
    void aPlaceIsFreeWhenTheBackendIsGoneAndNotBefore() throws Exception {
        open(PoolSettings.defaults().withCap(1).withAcquireTimeout(Duration.ofSeconds(20)));
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Long> hanging = callers.submit(() -> run(attackers.get(0), Access.WRITE, HANG));
            Awaitility.await().until(() -> running(attackersLogins()) == 1);
            assertThat(readBeside()).isOne();
            assertThat(running(attackersLogins()))
                    .as("ended before its place was given away")
                    .isZero();
            assertThat(hanging).failsWithin(60, TimeUnit.SECONDS);
        }
    }
}

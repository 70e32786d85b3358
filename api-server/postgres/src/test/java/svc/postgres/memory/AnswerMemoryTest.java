package svc.postgres.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.name.DatabaseRole;
import svc.database.sql.SqlFragment;
import svc.platform.memory.ByteBudget;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.Setting;
import svc.postgres.SqlError;
import svc.postgres.flush.Flush;
import svc.postgres.flush.ProjectPools;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;
import svc.postgres.pool.PoolSettings;
import svc.postgres.termination.SessionEnders;
import svc.postgres.wire.WireLoops;
import svc.testing.TestingProjects;

/** Large answers of one project take its share of the memory, and nothing of its neighbours'. */
class AnswerMemoryTest {
    private static final long BUDGET = 40 << 20;
    private static final int CALLS = 8;

    /** A megabyte in each row, one after the other. */
    private static final SqlFragment LARGE =
            SqlFragment.of("SELECT repeat('x', 1000000) || pg_sleep(0.1)::text FROM generate_series(1, 6)");

    private static final SqlFragment TOO_LARGE =
            SqlFragment.of("SELECT repeat('x', 1000000) FROM generate_series(1, 12)");

    /** Two megabytes, which wait for a third. */
    private static final SqlFragment HELD = SqlFragment.of("SELECT repeat('x', 1000000)"
            + " || pg_sleep(CASE n WHEN 3 THEN 3 ELSE 0 END)::text FROM generate_series(1, 3) n");

    private static final SqlFragment MEDIUM = SqlFragment.of("SELECT repeat('x', 1000000) FROM generate_series(1, 2)");

    private static final SqlFragment SMALL = SqlFragment.of("SELECT 7");

    private final ByteBudget budget = new ByteBudget(BUDGET);
    private final TestingProjects projects = TestingProjects.create();
    private final Tenant attacker = projects.project("answers1");
    private final Tenant neighbour = projects.project("answers2");
    private TenantTransactions transactions;

    @BeforeEach
    void open() {
        var pools = new ProjectPools(
                PoolSettings.defaults(),
                projects.roots(),
                WireLoops.dedicated(),
                new SessionEnders(jdbcUrl -> Optional.empty()),
                budget::account);
        transactions = new TenantTransactions(pools, Duration.ofSeconds(30));
    }

    @AfterEach
    void close() {
        transactions.close();
    }

    @Test
    void manyLargeAnswersAtOnceAreRefusedInPart() throws Exception {
        List<Future<Object>> calls = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLS; i++) {
                calls.add(callers.submit(() -> ask(attacker, LARGE)));
            }
            while (!calls.stream().allMatch(Future::isDone)) {
                assertThat(ask(neighbour, SMALL)).isEqualTo("answered");
                Thread.sleep(20);
            }
        }
        assertThat(calls).extracting(Future::get).contains("answered", "53000");
        Awaitility.await().untilAsserted(() -> assertThat(budget.held()).isZero());
        assertThat(ask(attacker, SMALL)).isEqualTo("answered");
    }

    /** Every visitor of an app has the anon key. */
    @Test
    void answersOfAnonymousReadersLeaveTheUsersTheirShare() throws Exception {
        List<Future<Object>> anonymous = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLS; i++) {
                anonymous.add(callers.submit(() -> askAs(DatabaseRole.ANON, HELD)));
            }
            Awaitility.await().until(() -> budget.held() >= 4_000_000);
            assertThat(askAs(DatabaseRole.AUTHENTICATED, MEDIUM)).isEqualTo("answered");
        }
        assertThat(anonymous).extracting(Future::get).contains("answered", "53000");
        Awaitility.await().untilAsserted(() -> assertThat(budget.held()).isZero());
    }

    /** One answer may still be as large as that of a user. */
    @Test
    void anAnonymousReaderAloneGetsALargeAnswer() {
        assertThat(askAs(DatabaseRole.ANON, LARGE)).isEqualTo("answered");
        assertThat(askAs(DatabaseRole.ANON, TOO_LARGE)).isEqualTo("54000");
    }

    @Test
    void anAnswerThatNeverFitsSaysSo() {
        assertThat(ask(attacker, TOO_LARGE)).isEqualTo("54000");
        Awaitility.await().untilAsserted(() -> assertThat(budget.held()).isZero());
    }

    /** The SQLSTATE of a failure. */
    private Object ask(Tenant tenant, SqlFragment query) {
        return ask(tenant, List.of(), query);
    }

    private Object askAs(DatabaseRole role, SqlFragment query) {
        return ask(attacker, List.of(Setting.of("role", attacker.roleName(role))), query);
    }

    private Object ask(Tenant tenant, List<Setting> settings, SqlFragment query) {
        var flush = new Flush(Access.READ, settings, query, List.of(), new TransactionEnd.Commit());
        try {
            transactions.run(tenant, DatabaseRole.API, flush);
            return "answered";
        } catch (SqlError e) {
            return e.sqlState();
        }
    }
}

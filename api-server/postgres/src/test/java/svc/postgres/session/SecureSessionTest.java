package svc.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.database.name.DatabaseRole;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.Setting;
import svc.postgres.SqlError;
import svc.postgres.flush.Flush;
import svc.postgres.flush.FlushRow;
import svc.postgres.flush.ProjectPools;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;
import svc.postgres.pool.PoolSettings;
import svc.testing.DatabaseProxy;
import svc.testing.TestingProjects;

/** A database that is reached through TLS is served as any other, over the socket that the driver has made secure. */
class SecureSessionTest {
    private static final int MEGABYTE = 1 << 20;

    private static DatabaseProxy proxy;
    private static Tenant tenant;
    private static TenantTransactions transactions;

    @BeforeAll
    static void layOut() {
        var projects = TestingProjects.create();
        Tenant direct = projects.project("secure12");
        proxy = new DatabaseProxy(direct.database().jdbcUrl(), true);
        tenant = proxy.before(direct);
        transactions = new TenantTransactions(
                new ProjectPools(PoolSettings.defaults(), projects.roots()), Duration.ofSeconds(20));
    }

    @AfterAll
    static void close() {
        transactions.close();
        proxy.close();
    }

    private static FlushRow run(SqlFragment query, String... binds) {
        List<Setting> settings = List.of(
                Setting.of("role", tenant.names().role(DatabaseRole.ANON).name()));
        return transactions.run(
                tenant,
                DatabaseRole.API,
                new Flush(Access.READ, settings, query, List.of(binds), new TransactionEnd.Commit()));
    }

    @Test
    void anAnswerOfManyRecordsComesWhole() {
        assertThat(run(SqlFragment.of("SELECT repeat('x', ?::int)"), Integer.toString(5 * MEGABYTE))
                        .text(0)
                        .orElseThrow())
                .hasSize(5 * MEGABYTE);
    }

    @Test
    void manyAskAtOnce() throws Exception {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> answers = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                String number = Integer.toString(i);
                answers.add(callers.submit(
                        () -> run(SqlFragment.of("SELECT ?::int"), number).number(0)));
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get()).isEqualTo(i);
            }
        }
    }

    @Test
    void anErrorLeavesTheSessionInUse() {
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> run(SqlFragment.of("SELECT 1/0")))
                    .isInstanceOfSatisfying(
                            SqlError.class,
                            error -> assertThat(error.sqlState()).isEqualTo("22012"));
        }
        assertThat(run(SqlFragment.of("SELECT 1")).number(0)).isOne();
    }

    @Test
    void aConnectionThatBreaksIsReplaced() {
        run(SqlFragment.of("SELECT 1"));
        int before = proxy.cuts();
        proxy.cutAfter(20);
        assertThat(run(SqlFragment.of("SELECT 2")).number(0)).isEqualTo(2);
        assertThat(proxy.cuts()).isEqualTo(before + 1);
    }
}

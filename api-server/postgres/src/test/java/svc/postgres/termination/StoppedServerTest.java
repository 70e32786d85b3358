package svc.postgres.termination;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.Login;
import svc.postgres.PoolExhausted;
import svc.postgres.flush.Flush;
import svc.postgres.flush.ProjectPools;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;
import svc.postgres.pool.PoolSettings;
import svc.postgres.wire.WireLoops;
import svc.testing.DatabaseProxy;
import svc.testing.TestingProjects;

/** A server that is stopped accepts connections and answers nothing: no request waits for as long as that lasts. */
class StoppedServerTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @Test
    void noRequestHangs() {
        TestingProjects projects = TestingProjects.create();
        Tenant direct = projects.project("stopped1");
        var enders = new SessionEnders(jdbcUrl ->
                Optional.of(new Login(jdbcUrl, "svc_catalog", () -> projects.platformPassword(Purpose.LOGIN_CATALOG))));
        var pools = new ProjectPools(PoolSettings.defaults(), projects.roots(), WireLoops.dedicated(), enders);
        try (var proxy = new DatabaseProxy(direct.database().jdbcUrl(), false);
                var transactions = new TenantTransactions(pools, LIMIT);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Tenant tenant = proxy.before(direct);
            assertThat(ask(transactions, tenant, Access.READ)).isOne();
            proxy.stop();
            List<Future<Long>> calls = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                Access access = i % 2 == 0 ? Access.READ : Access.WRITE;
                calls.add(callers.submit(() -> ask(transactions, tenant, access)));
            }

            Awaitility.await("all to be answered")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> calls.stream().allMatch(Future::isDone));
            assertThat(calls).allSatisfy(call -> assertThat(call.exceptionNow()).isInstanceOf(PoolExhausted.class));

            proxy.go();
            Awaitility.await("the server to be in use again")
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> ask(transactions, tenant, Access.READ) == 1);
        }
    }

    private static long ask(TenantTransactions transactions, Tenant tenant, Access access) {
        var flush = new Flush(access, List.of(), SqlFragment.of("SELECT 1"), List.of(), new TransactionEnd.Commit());
        return transactions.run(tenant, DatabaseRole.API, flush).number(0);
    }
}

package svc.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import svc.database.name.DatabaseRole;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.postgres.Access;
import svc.postgres.flush.Flush;
import svc.postgres.flush.ProjectPools;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;
import svc.testing.LoopbackServers;
import svc.testing.TestingProjects;

/** A server that a tenant chose and that never answers takes no place from shared databases, and few of its own kind. */
class ChosenServersTest {
    private static final int CAP = 3;

    @Test
    void aSilentServerKeepsNoOtherServerWaiting() throws Exception {
        TestingProjects projects = TestingProjects.create();
        Tenant shared = projects.project("chosen01");
        Tenant other = projects.project("chosen02");
        List<Socket> held = new CopyOnWriteArrayList<>();
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
                var pools =
                        new ProjectPools(PoolSettings.defaults().withCap(CAP).withPerLogin(CAP), projects.roots());
                var transactions = new TenantTransactions(pools, Duration.ofSeconds(30))) {
            Thread.ofVirtual().start(() -> accept(silent, held));
            Tenant chosen = at(projects.project("chosen03"), silent.getLocalPort());
            List<Future<Long>> waiting = new ArrayList<>();
            for (int i = 0; i < 2 * CAP; i++) {
                waiting.add(callers.submit(() -> ask(transactions, chosen)));
            }
            Awaitility.await().until(() -> held.size() == 2);

            for (Tenant tenant : List.of(shared, other, shared)) {
                assertThat(ask(transactions, tenant)).isPositive();
            }

            assertThat(waiting).noneMatch(Future::isDone);
            assertThat(held).as("being opened at once").hasSize(2);
            held.forEach(ChosenServersTest::close);
            silent.close();
        }
    }

    private static long ask(TenantTransactions transactions, Tenant tenant) {
        var flush = new Flush(
                Access.READ,
                List.of(),
                SqlFragment.of("SELECT pg_backend_pid()"),
                List.of(),
                new TransactionEnd.Commit());
        return transactions.run(tenant, DatabaseRole.API, flush).number(0);
    }

    private static Tenant at(Tenant tenant, int port) {
        return new Tenant(
                tenant.ref(),
                tenant.names(),
                tenant.scope(),
                tenant.masterKeyVersion(),
                tenant.keyVersions(),
                new DatabaseAddress(
                        "chosen",
                        LoopbackServers.allowed("jdbc:postgresql://127.0.0.1:" + port + "/x"),
                        Server.CHOSEN_BY_TENANT),
                tenant.organization(),
                tenant.restUrl(),
                tenant.rest());
    }

    private static void accept(ServerSocket silent, List<Socket> held) {
        try {
            while (true) {
                held.add(silent.accept());
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Gone already.
        }
    }
}

package svc.operator.project.database.conflict;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import svc.database.platform.Claim;
import svc.database.platform.ClaimRequest;
import svc.database.platform.Holder;
import svc.database.platform.Placement;
import svc.database.platform.ProjectRegistry;
import svc.operator.project.database.ProjectProvisioner;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.ProvisionResult.Conflict;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.RemoveResult;
import svc.operator.project.database.TestingDatabases;

/** Promise: of two resources that want one ref or one id, exactly one gets it; the other gets nothing and drops nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExactlyOneOwnerTest {
    private static final Holder FIRST = new Holder("a", "first");
    private static final Holder SECOND = new Holder("b", "second");

    private final TestingDatabases databases = TestingDatabases.create();
    private final ProjectProvisioner projects = databases.projects();

    private ProvisionRequest request(UUID id, String ref, Holder holder) {
        return TestingDatabases.request(id, ref, holder, databases);
    }

    @Test
    void oneRefOfTwoProjects() {
        UUID loser = UUID.randomUUID();
        projects.provision(request(UUID.randomUUID(), "contest1", FIRST));
        assertThat(projects.provision(request(loser, "contest1", SECOND)))
                .isEqualTo(new Conflict(FIRST, "ref contest1"));
        assertThat(projects.delete(loser, SECOND)).isEqualTo(RemoveResult.NOTHING_HELD);
    }

    @Test
    void oneProjectIdFromAnotherNamespace() {
        UUID id = UUID.randomUUID();
        Provisioned first = (Provisioned) projects.provision(request(id, "contest2", FIRST));
        assertThat(projects.provision(request(id, "contest2", SECOND)))
                .isEqualTo(new Conflict(FIRST, "projectId " + id));
        assertThat(projects.provision(request(id, "another2", SECOND)))
                .isEqualTo(new Conflict(FIRST, "projectId " + id));
        assertThat(projects.delete(id, SECOND)).isEqualTo(RemoveResult.NOTHING_HELD);
        assertThat(projects.retain(id, SECOND)).isEqualTo(RemoveResult.NOTHING_HELD);
        assertThat(databases.rolesAndSchemasOf(first.project())).hasSize(10);
        assertThat(((Provisioned) projects.provision(request(id, "contest2", FIRST))).steps())
                .isEmpty();
    }

    @Test
    void aRetainedProjectStillBelongsToItsResource() {
        UUID id = UUID.randomUUID();
        projects.provision(request(id, "contest3", FIRST));
        projects.retain(id, FIRST);
        assertThat(projects.provision(request(id, "contest3", SECOND))).isInstanceOf(Conflict.class);
        assertThat(projects.provision(request(id, "contest3", FIRST))).isInstanceOf(Provisioned.class);
    }

    @Test
    void aTransferIsAnExplicitAct() throws Exception {
        UUID id = UUID.randomUUID();
        Provisioned first = (Provisioned) projects.provision(request(id, "contest4", FIRST));
        try (Connection connection = databases.server().connect(databases.platformName())) {
            TestingDatabases.query(connection, "SELECT svc_platform.transfer_project('" + id + "', 'b', 'second')");
        }
        assertThat(projects.provision(request(id, "contest4", FIRST)))
                .isEqualTo(new Conflict(SECOND, "projectId " + id));
        Provisioned second = (Provisioned) projects.provision(request(id, "contest4", SECOND));
        assertThat(second.project().incarnation()).isEqualTo(first.project().incarnation());
        assertThat(second.steps()).isEmpty();
    }

    @Test
    void ofOperatorsThatRaceExactlyOneWins() throws Exception {
        int racers = 8;
        UUID id = UUID.randomUUID();
        CountDownLatch start = new CountDownLatch(1);
        List<Future<ProvisionResult>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(racers)) {
            for (int i = 0; i < racers; i++) {
                // Half of them want the id, all of them the ref.
                UUID wanted = i % 2 == 0 ? id : UUID.randomUUID();
                ProvisionRequest request = request(wanted, "contest5", new Holder("race", "r" + i));
                Callable<ProvisionResult> race = () -> {
                    start.await();
                    return databases.projects().provision(request);
                };
                results.add(threads.submit(race));
            }
            start.countDown();
        }
        int winners = 0;
        for (Future<ProvisionResult> result : results) {
            winners += result.get() instanceof Provisioned ? 1 : 0;
        }
        assertThat(winners).isEqualTo(1);
    }

    @Test
    void twoOperatorsOnOneResourceBothSucceed() throws Exception {
        ProvisionRequest request = TestingDatabases.request("shared-work", databases);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<ProvisionResult>> results = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                results.add(threads.submit(() -> databases.projects().provision(request)));
            }
            for (Future<ProvisionResult> result : results) {
                assertThat(result.get()).isInstanceOf(Provisioned.class);
            }
        }
        assertThat(((Provisioned) projects.provision(request)).steps()).isEmpty();
    }

    @Test
    void aNewProjectGoesToTheLeastLoadedDatabaseOnce() throws Exception {
        UUID id = UUID.randomUUID();
        projects.provision(TestingDatabases.request("load", databases));
        ProjectRegistry registry = databases.registry();
        Placement both = new Placement.Shared(List.of(databases.sharedName(), "empty-one"));
        Claim first = registry.claim(new ClaimRequest(id, "placed01", FIRST, both, 1));
        assertThat(((Claim.Held) first).project().databaseName()).isEqualTo("empty-one");
        Placement other = new Placement.Shared(List.of("third"));
        assertThat(registry.claim(new ClaimRequest(id, "placed01", FIRST, other, 2)))
                .isEqualTo(first);
    }
}

package svc.operator.project.conflict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.operator.testing.TestingOperator.condition;
import static svc.operator.testing.TestingOperator.has;

import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.operator.testing.TestingApi;
import svc.operator.testing.TestingOperator;

/** A ref and a project id have one holder; the other gets nothing, learns nothing of the holder, and drops nothing. */
class TwoProjectsOneIdentityTest {
    private static String elsewhere;
    private static TestingOperator operator;

    // Each test has a ref and resources of its own.
    private final String ref = "c" + UUID.randomUUID().toString().substring(0, 7);
    private final String first = TestingApi.name("first");
    private final String second = TestingApi.name("second");
    private final String thief = TestingApi.name("thief");

    @BeforeAll
    static void start() {
        elsewhere = TestingApi.namespace();
        operator = TestingOperator.prepared().alsoWatching(elsewhere).start();
    }

    @AfterAll
    static void stop() {
        operator.close();
    }

    /** Otherwise the operator would go on reconciling them. */
    @AfterEach
    void deleteAll() {
        for (String namespace : List.of(operator.namespace(), elsewhere)) {
            var all = operator.client().resources(Project.class).inNamespace(namespace);
            all.list()
                    .getItems()
                    .forEach(
                            found -> all.withName(found.getMetadata().getName()).delete());
        }
    }

    @Test
    void theSecondWithOneRefGetsNoKey() {
        operator.create(first, spec -> spec.ref(ref));
        operator.ready(first);
        operator.create(second, spec -> spec.ref(ref).keysSecret("second-keys"));

        Project loser = operator.await(second, refConflict());

        assertThat(loser.isFailed()).isTrue();
        assertThat(List.of(ProjectCondition.DATABASE_READY, ProjectCondition.KEYS_READY))
                .allSatisfy(type -> assertThat(condition(loser, type).reason()).isEqualTo("NotClaimed"));
        assertThat(loser.getStatus().anonKey()).isNull();
        assertThat(loser.getStatus().incarnation()).isNull();
        assertThat(loser.getStatus().url()).isNull();
        assertThat(operator.client()
                        .secrets()
                        .inNamespace(operator.namespace())
                        .withName("second-keys")
                        .get())
                .isNull();
        operator.awaitEvent(second, "RefConflict");
    }

    @Test
    void anIdFromAnotherNamespaceIsRefusedWithoutNamingTheHolder() {
        UUID id = UUID.randomUUID();
        operator.create(first, spec -> spec.projectId(id.toString()));
        operator.ready(first);
        operator.create(elsewhere, thief, spec -> spec.projectId(id.toString()));

        Project loser = operator.await(elsewhere, thief, refConflict());

        assertThat(condition(loser, ProjectCondition.CLAIMED).message())
                .doesNotContain(operator.namespace())
                .doesNotContain(first);
    }

    @Test
    void theLosersDeletionDropsNothing() {
        operator.create(first, spec -> spec.ref(ref));
        String schema = operator.ready(first).getStatus().schema();
        operator.sql("CREATE TABLE " + schema + ".kept (id int)");
        operator.create(second, spec -> spec.ref(ref).deletionPolicy(DeletionPolicy.DELETE));
        operator.await(second, refConflict());

        operator.at(second).delete();
        operator.awaitGone(second);

        assertThat(operator.query("SELECT to_regclass('" + schema + ".kept')")).isNotNull();
        assertThat(operator.get(first).isReady()).isTrue();
    }

    @Test
    void theLoserGetsTheRefOnceTheHolderIsDeleted() {
        operator.create(first, spec -> spec.ref(ref).deletionPolicy(DeletionPolicy.DELETE));
        operator.ready(first);
        operator.create(second, spec -> spec.ref(ref));
        operator.await(second, refConflict());

        operator.at(first).delete();
        operator.awaitGone(first);

        assertThat(operator.ready(second).getStatus().anonKey()).startsWith("svc_anon_");
    }

    /** Applications of a deleted project go on calling its host: another tenant must not answer there. */
    @Test
    void aDeletedProjectsRefAndIdAreNothingToAnotherNamespace() {
        operator.create(first, spec -> spec.ref(ref).deletionPolicy(DeletionPolicy.DELETE));
        String id = operator.ready(first).getStatus().projectId();
        operator.create(elsewhere, "waiting", spec -> spec.ref(ref));
        operator.await(elsewhere, "waiting", refConflict());

        operator.at(first).delete();
        operator.awaitGone(first);
        operator.create(elsewhere, thief, spec -> spec.ref(ref));
        operator.create(elsewhere, "heir", spec -> spec.projectId(id));
        operator.await(elsewhere, thief, refConflict());
        operator.await(elsewhere, "heir", refConflict());
        assertThat(operator.query("SELECT count(*) FROM svc_platform.project WHERE ref = '" + ref + "'"))
                .isEqualTo("0");

        // The same manifest finds its identity free, and an admin decides otherwise.
        operator.create(first, spec -> spec.ref(ref).projectId(id).deletionPolicy(DeletionPolicy.DELETE));
        operator.ready(first);
        operator.at(first).delete();
        operator.awaitGone(first);
        operator.sql("DELETE FROM svc_platform.reserved_ref WHERE ref = '" + ref + "'");
        operator.await(elsewhere, thief, project -> project.isReady() || isHeldBy("waiting"));
    }

    private boolean isHeldBy(String name) {
        return name.equals(operator.query("SELECT name FROM svc_platform.project WHERE ref = '" + ref + "'"));
    }

    @Test
    void aReCreatedResourceOfTheSameNameFindsItsRetainedProject() {
        operator.create("shop");
        Project before = operator.ready("shop");
        operator.sql("CREATE TABLE " + before.getStatus().schema() + ".kept (id int)");
        operator.at("shop").delete();
        operator.awaitGone("shop");

        operator.create("shop");
        Project after = operator.ready("shop");

        assertThat(after.getStatus().anonKey()).isEqualTo(before.getStatus().anonKey());
        assertThat(operator.query("SELECT to_regclass('" + before.getStatus().schema() + ".kept')"))
                .isNotNull();
        operator.awaitEvent("shop", "Revived");
    }

    @Test
    void aTransferByAnAdminMovesTheProjectAndTakesTheKeysBack() {
        operator.create(first, spec -> spec.ref(ref).keysSecret("first-keys"));
        Project holder = operator.ready(first);
        operator.create(
                second, spec -> spec.ref(ref).projectId(holder.getStatus().projectId()));
        operator.await(second, refConflict());

        operator.sql("UPDATE svc_platform.project SET name = '" + second + "' WHERE ref = '" + ref + "'");

        assertThat(operator.ready(second).getStatus().anonKey())
                .isEqualTo(holder.getStatus().anonKey());
        assertThat(operator.await(first, refConflict()).getStatus().anonKey()).isNull();
        await().atMost(TestingOperator.LIMIT)
                .until(() -> operator.client()
                                .secrets()
                                .inNamespace(operator.namespace())
                                .withName("first-keys")
                                .get()
                        == null);
    }

    private static Predicate<Project> refConflict() {
        return has(ProjectCondition.CLAIMED, ConditionStatus.FALSE, "RefConflict");
    }
}

package svc.operator.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectSpec;
import svc.crds.project.ProjectStatus;
import svc.operator.kubernetes.ResourceEvents;
import svc.operator.project.desired.ProjectAddresses;
import svc.operator.project.failure.Failure;
import svc.operator.project.status.ProjectOutcome;
import svc.operator.project.status.ProjectStatusMapper;
import svc.operator.testing.TestingApi;

/** A failure that was found with a stale copy of the Project takes nothing from the status that was written since. */
class StaleProjectTest {
    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(ProjectReconciler.NAME)
            .withForce(true)
            .build();
    private static final ProjectOutcome FAILURE = new ProjectOutcome.Failed(
            new Failure(ProjectCondition.DATABASE_READY, "AuthenticationFailed", "no", true, true));

    private final KubernetesClient client = TestingApi.client();
    private final String namespace = TestingApi.namespace();
    private final ProjectStatusUpdater updater = new ProjectStatusUpdater(
            new ProjectStatusMapper(new ProjectAddresses("http://{ref}.data.example")),
            new ResourceEvents(client, Clock.systemUTC(), observation -> {}),
            observation -> {},
            Clock.systemUTC(),
            Duration.ofMinutes(5));
    private Project created;

    @BeforeEach
    void create() {
        var project = new Project();
        project.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName("shop")
                .build());
        project.setSpec(ProjectSpec.named("shop"));
        created = client.resource(project).create();
        apply(ready());
    }

    @AfterEach
    void remove() {
        client.namespaces().withName(namespace).delete();
    }

    @Test
    void aStaleCopyIsRefusedAndTheStatusStays() {
        Project patch = patchOf(created);

        assertThatThrownBy(() -> apply(patch))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        refused -> assertThat(
                                        updater.updateFailed(created, refused).getResource())
                                .isEmpty());
        assertThat(current().getStatus().anonKey()).isEqualTo("svc_anon_x");
        assertThat(current().getStatus().conditions()).isEmpty();
    }

    @Test
    void aCurrentCopyIsWrittenAndKeepsEarlierValues() {
        apply(patchOf(current()));

        assertThat(current().getStatus().anonKey()).isEqualTo("svc_anon_x");
        assertThat(current().getStatus().conditions())
                .anyMatch(condition -> condition.reason().equals("AuthenticationFailed"));
    }

    private Project patchOf(Project read) {
        Optional<Project> patch = updater.changedStatus(read, FAILURE, Instant.now());
        return patch.orElseThrow();
    }

    private Project ready() {
        var patch = new Project();
        patch.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName("shop")
                .build());
        patch.setStatus(ProjectStatus.empty().toBuilder().anonKey("svc_anon_x").build());
        return patch;
    }

    private void apply(Project patch) {
        client.resource(patch).subresource("status").patch(APPLY);
    }

    private Project current() {
        return client.resources(Project.class)
                .inNamespace(namespace)
                .withName("shop")
                .get();
    }
}

package svc.management.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import svc.crds.CrdCatalog;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.kubernetes.EmbeddedKubernetes.Settings;
import svc.embedded.process.Folders;
import svc.embedded.process.FreePort;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** Promise: a change of a project that another request deleted meanwhile answers 404, missing definitions 503. */
class DeletedMeanwhileTest {
    private static final String NAMESPACE = "default";

    private static Problem ofUpdate(KubernetesClient client) {
        var project = new Project();
        project.setMetadata(new ObjectMetaBuilder()
                .withNamespace(NAMESPACE)
                .withName("absent")
                .withResourceVersion("1")
                .build());
        project.setSpec(ProjectSpec.named("absent"));
        return ProjectResources.problem(catchThrowableOfType(
                        KubernetesClientException.class,
                        () -> client.resource(project).update()))
                .problem();
    }

    @Test
    void theAnswerSaysWhatIsMissing() throws Exception {
        Path folder = Files.createTempDirectory("svc-management-tests-");
        try (EmbeddedKubernetes kubernetes =
                        EmbeddedKubernetes.start(new Settings(Optional.of(folder), FreePort.find()));
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(kubernetes.clientConfig())
                        .build()) {
            assertThat(ofUpdate(client).code()).isEqualTo(ProblemCode.UNAVAILABLE);
            CrdCatalog.load().all().forEach(kind -> client.resource(kind).create());
            Problem missing = ofUpdate(client);
            assertThat(missing.code()).isEqualTo(ProblemCode.PROJECT_NOT_FOUND);
            assertThat(missing.detail()).contains("absent");
        } finally {
            Folders.deleteRecursively(folder);
        }
    }
}

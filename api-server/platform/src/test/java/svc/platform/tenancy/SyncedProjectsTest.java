package svc.platform.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import svc.crds.CrdCatalog;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.kubernetes.EmbeddedKubernetes.Settings;
import svc.embedded.process.Folders;
import svc.embedded.process.FreePort;
import svc.platform.config.ApiConfig;

/** Promise: a process that starts says that it does not know all projects yet, until its services know them. */
class SyncedProjectsTest {
    private static final String NAMESPACE = "default";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final CountDownLatch slow = new CountDownLatch(1);

    @Test
    void notBeforeEveryListenerWasCalled() throws Exception {
        Path folder = Files.createTempDirectory("svc-api-tests-");
        try (EmbeddedKubernetes kubernetes =
                        EmbeddedKubernetes.start(new Settings(Optional.of(folder), FreePort.find()));
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(kubernetes.clientConfig())
                        .build()) {
            CrdCatalog.load().all().forEach(kind -> client.resource(kind).create());
            var project = new Project();
            project.setMetadata(new ObjectMetaBuilder()
                    .withNamespace(NAMESPACE)
                    .withName("there")
                    .build());
            project.setSpec(ProjectSpec.named("there"));
            client.resource(project).create();
            var watch = new ProjectWatch(client, new EveryNamespace(), List.of(new SlowListener()));

            watch.start(null);
            Awaitility.await()
                    .atMost(LIMIT)
                    .until(() -> watch.find(NAMESPACE, "there").isPresent());
            Awaitility.await().during(Duration.ofMillis(500)).atMost(LIMIT).until(() -> !watch.synced());
            slow.countDown();
            Awaitility.await().atMost(LIMIT).until(watch::synced);

            assertThat(watch.find(NAMESPACE, "there")).isPresent();
            watch.stop(null);
        } finally {
            Folders.deleteRecursively(folder);
        }
    }

    private final class SlowListener implements ProjectListener {
        @Override
        public void seen(Project project) {
            try {
                slow.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void gone(Project project) {}
    }

    private record EveryNamespace() implements ApiConfig.Projects {
        @Override
        public String region() {
            return "local";
        }

        @Override
        public String namespace() {
            return NAMESPACE;
        }

        @Override
        public Optional<List<String>> watch() {
            return Optional.empty();
        }

        @Override
        public Duration readyWait() {
            return LIMIT;
        }
    }
}

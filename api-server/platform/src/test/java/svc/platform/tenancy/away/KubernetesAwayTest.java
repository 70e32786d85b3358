package svc.platform.tenancy.away;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.CrdCatalog;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.kubernetes.EmbeddedKubernetes.Settings;
import svc.embedded.process.Folders;
import svc.embedded.process.FreePort;
import svc.platform.tenancy.ResilientInformer;

/**
 * Promise: while the Kubernetes API is away, what is known of Projects stays known; when it is back, everything that changed is
 * seen, deletions too, without a restart.
 */
class KubernetesAwayTest {
    private static final String NAMESPACE = "default";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final ResilientInformer<Project> watch = new ResilientInformer<>("projects");
    private final Set<String> gone = ConcurrentHashMap.newKeySet();
    private Path folder;
    private Settings settings;
    private EmbeddedKubernetes kubernetes;
    private KubernetesClient watcher;

    @BeforeEach
    void start() throws Exception {
        folder = Files.createTempDirectory("svc-api-tests-");
        settings = new Settings(Optional.of(folder), FreePort.find());
        kubernetes = EmbeddedKubernetes.start(settings);
        watcher = client();
    }

    @AfterEach
    void stop() throws Exception {
        watch.stop();
        watcher.close();
        kubernetes.close();
        Folders.deleteRecursively(folder);
    }

    @Test
    void whatIsKnownStaysAndWhatChangedMeanwhileIsSeen() throws Exception {
        installKinds();
        create("kept");
        create("removed");
        begin();
        await("kept");
        await("removed");

        kubernetes.close();
        assertThat(watch.find(NAMESPACE, "kept")).isPresent();

        // Another one in the same folder, out of the watch's sight.
        kubernetes = EmbeddedKubernetes.start(new Settings(Optional.of(folder), FreePort.find()));
        create("made");
        try (KubernetesClient admin = client()) {
            admin.resources(Project.class)
                    .inNamespace(NAMESPACE)
                    .withName("removed")
                    .delete();
        }
        kubernetes.close();
        assertThat(watch.find(NAMESPACE, "removed")).isPresent();
        kubernetes = EmbeddedKubernetes.start(settings);

        await("made");
        Awaitility.await().atMost(LIMIT).until(() -> gone.contains("removed"));
        assertThat(watch.find(NAMESPACE, "removed")).isEmpty();
        assertThat(watch.find(NAMESPACE, "kept")).isPresent();
        create("later");
        await("later");
    }

    @Test
    void aKindThatIsInstalledLaterIsSeen() throws Exception {
        begin();

        installKinds();
        create("first");

        await("first");
    }

    private void begin() {
        watch.start(
                Optional.empty(),
                watcher.resources(Project.class),
                Optional.empty(),
                informer -> informer.addEventHandler(new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(Project project) {
                        watch.seen(project);
                    }

                    @Override
                    public void onUpdate(Project before, Project project) {
                        watch.seen(project);
                    }

                    @Override
                    public void onDelete(Project project, boolean finalStateUnknown) {
                        gone.add(project.getMetadata().getName());
                    }
                }));
    }

    private void await(String name) {
        assertThat(watch.await(NAMESPACE, name, project -> true, LIMIT)).isPresent();
    }

    private void installKinds() {
        try (KubernetesClient admin = client()) {
            CrdCatalog.load().all().forEach(kind -> admin.resource(kind).create());
        }
    }

    private void create(String name) {
        var project = new Project();
        project.setMetadata(
                new ObjectMetaBuilder().withNamespace(NAMESPACE).withName(name).build());
        project.setSpec(ProjectSpec.named(name));
        try (KubernetesClient admin = client()) {
            admin.resource(project).create();
        }
    }

    private KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(kubernetes.clientConfig())
                .build();
    }
}

package svc.bench.operator;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.function.Consumer;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;

/** Projects that are created to see when they are Ready, as a watcher of the Kubernetes API does. */
final class NewProjects implements AutoCloseable {
    private static final String NAMESPACE = "default";

    private final KubernetesClient client;
    private final SharedIndexInformer<Project> watch;

    /** @param ready receives the name of each ready project, perhaps more than once, on the watch's thread */
    NewProjects(KubernetesClient client, Consumer<String> ready) {
        this.client = client;
        this.watch = client.resources(Project.class).inNamespace(NAMESPACE).inform(new ReadyWatch(ready));
    }

    void create(String name) {
        create(client, name);
    }

    static void create(KubernetesClient client, String name) {
        var project = new Project();
        project.setMetadata(
                new ObjectMetaBuilder().withNamespace(NAMESPACE).withName(name).build());
        project.setSpec(ProjectSpec.named(name));
        client.resource(project).create();
    }

    @Override
    public void close() {
        watch.close();
    }

    private record ReadyWatch(Consumer<String> ready) implements ResourceEventHandler<Project> {
        @Override
        public void onAdd(Project project) {
            look(project);
        }

        @Override
        public void onUpdate(Project before, Project project) {
            look(project);
        }

        @Override
        public void onDelete(Project project, boolean stateUnknown) {
            // Nothing is deleted while this watches.
        }

        private void look(Project project) {
            if (project.isReady()) {
                ready.accept(project.getMetadata().getName());
            }
        }
    }
}

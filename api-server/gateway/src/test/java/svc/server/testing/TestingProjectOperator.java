package svc.server.testing;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Base64;
import svc.crds.condition.Conditions;
import svc.crds.project.ActiveKey;
import svc.crds.project.ActiveKeys;
import svc.crds.project.DatabaseLayout;
import svc.crds.project.KeysSpec;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectDatabase;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.ProjectStatus;
import svc.database.key.ApiKey;
import svc.database.key.DerivedKey;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.name.ProjectNames;
import svc.testing.TestingKeys;

/**
 * Writes a Project's status as the operator would, without a database. It ignores projects whose name begins with
 * {@code stuck}; those whose name begins with {@code lost} lose the claim on their ref.
 */
public final class TestingProjectOperator implements AutoCloseable {
    private static final int ATTEMPTS = 100;

    private final KubernetesClient client;
    private final SharedIndexInformer<Project> informer;

    TestingProjectOperator(KubernetesClient client) {
        this.client = client;
        this.informer = client.resources(Project.class).inAnyNamespace().inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(Project project) {
                reconcile(project);
            }

            @Override
            public void onUpdate(Project before, Project project) {
                reconcile(project);
            }

            @Override
            public void onDelete(Project project, boolean finalStateUnknown) {}
        });
    }

    /** A key leaf of a project. */
    public static DerivedKey leaf(ProjectIdentity identity, Purpose purpose, int version) {
        return TestingKeys.master()
                .root(purpose)
                .leaf(new ProjectKeyScope(identity.projectId(), TestingKeys.INCARNATION, version));
    }

    /** Retries on conflicts with concurrent writers. */
    public static void retried(Runnable write) {
        for (int attempt = 1; ; attempt++) {
            try {
                write.run();
                return;
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private void reconcile(Project project) {
        Long generation = project.getMetadata().getGeneration();
        boolean done = project.getStatus() != null
                && generation.equals(project.getStatus().observedGeneration());
        if (done || project.isMarkedForDeletion() || project.getSpec().name().startsWith("stuck")) {
            return;
        }
        client.resources(Project.class)
                .inNamespace(project.getMetadata().getNamespace())
                .withName(project.getMetadata().getName())
                .editStatus(current -> {
                    current.setStatus(project.getSpec().name().startsWith("lost") ? lost(project) : ready(project));
                    return current;
                });
    }

    private static ProjectStatus lost(Project project) {
        return ProjectStatus.empty().toBuilder()
                .observedGeneration(project.getMetadata().getGeneration())
                .conditions(project.conditions()
                        .markFalse(ProjectCondition.CLAIMED, "RefConflict", "another project has this ref")
                        .at(Instant.now()))
                .build();
    }

    private static ProjectStatus ready(Project project) {
        ProjectIdentity identity = ProjectIdentity.of(project);
        KeysSpec keys = project.getSpec().keys();
        Conditions stored = project.getSpec().suspend()
                ? project.conditions().markTrue(ProjectCondition.SUSPENDED, "Suspended", "")
                : project.conditions().without(ProjectCondition.SUSPENDED);
        Conditions conditions = stored.markTrue(ProjectCondition.CLAIMED, "Claimed", "")
                .markTrue(ProjectCondition.DATABASE_READY, "Provisioned", "")
                .markTrue(ProjectCondition.KEYS_READY, "Derived", "");
        String url = "http://" + identity.ref() + ".data.example";
        return ProjectStatus.empty().toBuilder()
                .observedGeneration(project.getMetadata().getGeneration())
                .conditions(conditions.at(Instant.now()))
                .ref(identity.ref())
                .projectId(identity.projectId().toString())
                .schema(ProjectNames.shared(identity.projectId()).schemaName())
                .url(url)
                .restUrl(url + "/rest/v1")
                .authUrl(url + "/auth/v1")
                .anonKey(ApiKey.of(leaf(identity, Purpose.ANON_KEY, keys.anon().version())))
                .incarnation(Base64.getUrlEncoder().withoutPadding().encodeToString(TestingKeys.INCARNATION.bytes()))
                .masterKeyVersion(1)
                .keys(new ActiveKeys(
                        ActiveKey.of(keys.anon()),
                        ActiveKey.of(keys.service()),
                        ActiveKey.of(keys.signing()),
                        ActiveKey.of(keys.database())))
                .database(new ProjectDatabase("main", "127.0.0.1", 5432, "projects", DatabaseLayout.SHARED))
                .companionVersion(1)
                .build();
    }

    @Override
    public void close() {
        informer.close();
    }
}

package svc.operator.project.connection;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import svc.crds.project.Project;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;

/** Reads the Secrets that Projects name, each time anew: a changed one is taken at the next look. */
public final class ConnectionSecrets {
    private final KubernetesClient client;

    public ConnectionSecrets(KubernetesClient client) {
        this.client = client;
    }

    /** The name of the Secret; empty where a Project names none. */
    public static Optional<String> nameOf(Project project) {
        return Optional.ofNullable(project.getSpec())
                .map(spec -> spec.database().dedicated())
                .map(dedicated -> dedicated.connectionSecretRef())
                .map(reference -> reference.name());
    }

    /** @throws DatabaseFailure when it is not there, or does not say what is needed */
    public Complete of(Project project) {
        String name = nameOf(project).orElseThrow();
        Secret secret = client.secrets()
                .inNamespace(project.getMetadata().getNamespace())
                .withName(name)
                .get();
        if (secret == null) {
            throw DatabaseFailure.of(
                    FailureReason.CONNECTION_SECRET_MISSING,
                    "of this Project",
                    "the Secret " + name + " does not exist: create it in this namespace with host, port, dbname, user,"
                            + " password and sslmode");
        }
        return switch (ConnectionSecret.of(secret)) {
            case Complete complete -> complete;
            case ConnectionSecret.Unusable unusable ->
                throw DatabaseFailure.of(
                        FailureReason.CONNECTION_SECRET_INVALID,
                        "of this Project",
                        "in the Secret " + name + " " + unusable.why());
        };
    }
}

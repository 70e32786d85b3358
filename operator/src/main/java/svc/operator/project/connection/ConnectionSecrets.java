package svc.operator.project.connection;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import svc.crds.project.Project;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;

/** Reads the connection Secret of a Project from the API, without a cache: the next reconciliation uses a changed one. */
public final class ConnectionSecrets {
    private final KubernetesClient client;

    public ConnectionSecrets(KubernetesClient client) {
        this.client = client;
    }

    /** The name of the Secret; empty when the spec has none. */
    public static Optional<String> nameOf(Project project) {
        return Optional.ofNullable(project.getSpec())
                .map(spec -> spec.database().dedicated())
                .map(dedicated -> dedicated.connectionSecretRef())
                .map(reference -> reference.name());
    }

    /** @throws DatabaseFailure when the Secret is missing or invalid */
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
                        "correct the Secret " + name + ": " + unusable.why());
        };
    }
}

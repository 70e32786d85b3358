package svc.operator.project.keys;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Collection;
import java.util.Optional;
import svc.operator.kubernetes.Labels;
import svc.operator.project.desired.KeysSecret;
import svc.operator.project.desired.ProjectAccess;

/**
 * Reconciles the keys Secret of a project. Never changes a Secret that this project does not own: its data may be the only
 * copy of something.
 */
public final class KeysSecretReconciler {
    private final KubernetesClient client;

    public KeysSecretReconciler(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Applies the Secret and deletes those of earlier names.
     *
     * @param known the project's labelled Secrets in the informer's cache; a stale cache costs one read
     */
    public KeysSecretState reconcile(
            HasMetadata project, Optional<String> wantedName, ProjectAccess access, Collection<Secret> known) {
        removeOthers(project, wantedName, known);
        return wantedName
                .map(name -> reconcile(project, KeysSecret.of(project, name, access), known))
                .orElse(KeysSecretState.NOT_REQUESTED);
    }

    /** Deletes every keys Secret of the project, which no longer holds its claim. */
    public void withdraw(HasMetadata project, Collection<Secret> known) {
        removeOthers(project, Optional.empty(), known);
    }

    private void removeOthers(HasMetadata project, Optional<String> wantedName, Collection<Secret> known) {
        known.stream()
                .filter(secret -> KeysSecret.isOwned(secret, project))
                .filter(secret -> !secret.getMetadata().getName().equals(wantedName.orElse(null)))
                .forEach(this::remove);
    }

    private KeysSecretState reconcile(HasMetadata project, Secret wanted, Collection<Secret> known) {
        Optional<Secret> found = known.stream()
                .filter(secret -> secret.getMetadata()
                        .getName()
                        .equals(wanted.getMetadata().getName()))
                .findFirst()
                // A Secret without our labels is not in the informer's cache and may still exist.
                .or(() -> Optional.ofNullable(client.resource(wanted).get()));
        if (found.isPresent() && !KeysSecret.isOwned(found.get(), project)) {
            return KeysSecretState.NOT_OWNED;
        }
        if (found.isEmpty()) {
            // Create instead of apply: an apply would take over a Secret created under this name in the meantime.
            client.resource(wanted).create();
        } else if (!KeysSecret.matches(found.get(), wanted)) {
            client.resource(wanted)
                    .patch(new PatchContext.Builder()
                            .withPatchType(PatchType.SERVER_SIDE_APPLY)
                            .withFieldManager(Labels.OPERATOR)
                            .withForce(true)
                            .build());
        }
        return KeysSecretState.PRESENT;
    }

    private void remove(Secret secret) {
        // With uid and resourceVersion: another Secret may have this name by now.
        client.resource(secret).lockResourceVersion().delete();
    }
}

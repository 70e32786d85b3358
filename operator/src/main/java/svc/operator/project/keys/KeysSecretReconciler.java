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
 * Keeps the Secret that a project asks for, and no other of the project's. Never touches a Secret that is not owned by
 * this very project: its data may be the only copy of something.
 */
public final class KeysSecretReconciler {
    private final KubernetesClient client;

    public KeysSecretReconciler(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Writes what differs and removes what an earlier name left behind.
     *
     * @param known the labelled Secrets of the project as the informer has them; may be behind, which costs one read
     * @return whether the wanted Secret is there, is refused, or none is wanted
     */
    public KeysSecretState keep(
            HasMetadata project, Optional<String> wantedName, ProjectAccess access, Collection<Secret> known) {
        removeOthers(project, wantedName, known);
        return wantedName
                .map(name -> keep(project, KeysSecret.of(project, name, access), known))
                .orElse(KeysSecretState.NOT_WANTED);
    }

    /** Removes every Secret of the project's: its keys are no longer its own. */
    public void withdraw(HasMetadata project, Collection<Secret> known) {
        removeOthers(project, Optional.empty(), known);
    }

    private void removeOthers(HasMetadata project, Optional<String> wantedName, Collection<Secret> known) {
        known.stream()
                .filter(secret -> KeysSecret.isOwned(secret, project))
                .filter(secret -> !secret.getMetadata().getName().equals(wantedName.orElse(null)))
                .forEach(this::remove);
    }

    private KeysSecretState keep(HasMetadata project, Secret wanted, Collection<Secret> known) {
        Optional<Secret> found = known.stream()
                .filter(secret -> secret.getMetadata()
                        .getName()
                        .equals(wanted.getMetadata().getName()))
                .findFirst()
                // Without our labels it is not in the informer, and that says nothing about whether it exists.
                .or(() -> Optional.ofNullable(client.resource(wanted).get()));
        if (found.isPresent() && !KeysSecret.isOwned(found.get(), project)) {
            return KeysSecretState.NOT_OWNED;
        }
        if (found.isEmpty()) {
            // Not an apply: that would take over what somebody else makes under this name in the meantime.
            client.resource(wanted).create();
        } else if (!KeysSecret.isSettled(found.get(), wanted)) {
            client.resource(wanted)
                    .patch(new PatchContext.Builder()
                            .withPatchType(PatchType.SERVER_SIDE_APPLY)
                            .withFieldManager(Labels.OPERATOR)
                            .withForce(true)
                            .build());
        }
        return KeysSecretState.KEPT;
    }

    private void remove(Secret secret) {
        // By uid and version: what now stands under this name may be another's.
        client.resource(secret).lockResourceVersion().delete();
    }
}

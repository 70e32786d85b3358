package svc.operator.project.keys;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import svc.crds.reference.SecretKeyReference;

/** Reads values of Secrets in the namespace of a project. */
public final class SecretValues {
    private final KubernetesClient client;

    public SecretValues(KubernetesClient client) {
        this.client = client;
    }

    /** Empty when the Secret or the key does not exist. */
    public Optional<String> find(String namespace, SecretKeyReference reference) {
        Secret secret = client.secrets()
                .inNamespace(namespace)
                .withName(reference.name())
                .get();
        return Optional.ofNullable(secret)
                .map(Secret::getData)
                .map(data -> data.get(reference.key()))
                .map(base64 -> new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8));
    }
}

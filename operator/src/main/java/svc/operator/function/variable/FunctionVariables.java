package svc.operator.function.variable;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import svc.crds.secret.FunctionSecret;

/** Reads the variables of a function from the Secrets that its FunctionSecrets name. */
public final class FunctionVariables {
    /** Prefix of these variables in the container; the runtime strips it. */
    public static final String CONTAINER_PREFIX = "SVC_RUNTIME_ENV_";

    private final KubernetesClient client;

    public FunctionVariables(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Keeps the earlier value of a variable whose Secret is missing: its short absence must not break a function. Deleting
     * the FunctionSecret removes the variable.
     *
     * @param secrets of the function
     * @param before the current environment of its processes
     */
    public Map<String, String> of(Collection<FunctionSecret> secrets, String ref, Optional<Secret> before) {
        Map<String, String> values = new TreeMap<>();
        SecretPrecedence.byVariable(secrets).forEach((variable, secret) -> {
            switch (read(secret, ref)) {
                case SecretValue.Found found -> values.put(variable, found.text());
                case SecretValue.Absent absent -> {
                    if (isTransient(absent)) {
                        earlier(before, variable).ifPresent(value -> values.put(variable, value));
                    }
                }
            }
        });
        return values;
    }

    /** Reads the value of one FunctionSecret. */
    public SecretValue read(FunctionSecret secret, String ref) {
        return SecretValue.of(
                secret,
                ref,
                Optional.ofNullable(client.secrets()
                        .inNamespace(secret.getMetadata().getNamespace())
                        .withName(secret.getSpec().valueFrom().secretKeyRef().name())
                        .get()));
    }

    private static boolean isTransient(SecretValue.Absent absent) {
        return absent.reason().equals(SecretReasons.SECRET_MISSING)
                || absent.reason().equals(SecretReasons.KEY_MISSING)
                || absent.reason().equals(SecretReasons.VALUE_INVALID);
    }

    private static Optional<String> earlier(Optional<Secret> before, String variable) {
        return before.map(Secret::getData)
                .map(data -> data.get(CONTAINER_PREFIX + variable))
                .map(base64 -> new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8));
    }
}

package svc.operator.installation;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import svc.database.key.KeyHolder;
import svc.database.key.KeyKind;
import svc.database.key.MasterKeys;
import svc.operator.config.MasterKeyRing;
import svc.operator.config.OperatorConfig.InstallationConfig;
import svc.operator.kubernetes.Labels;

/**
 * Creates the Secrets that the platform's own pods start with. Random values are created once, by the first replica, and
 * never written again; derived values follow the master keys. A Secret of another owner is only read, never overwritten.
 */
public final class InstallationSecrets {
    static final String ROOTS = "roots";
    static final String TOKEN = "token";

    private static final String PURPOSE = "installation";
    private static final String FIRST_VERSION = "1";
    private static final int KEY_BYTES = 32;
    private static final int CONFLICT = 409;
    private static final Map<String, String> LABELS =
            Map.of(Labels.MANAGED_BY, Labels.OPERATOR, Labels.PART_OF, "svc", Labels.PURPOSE, PURPOSE);

    private final KubernetesClient client;
    private final InstallationConfig config;
    private final String namespace;
    private final SecureRandom random;
    private final BooleanSupplier inUse;

    /** @param inUse whether projects exist, whose keys a new master key would invalidate */
    public InstallationSecrets(
            KubernetesClient client, InstallationConfig config, SecureRandom random, BooleanSupplier inUse) {
        this.client = client;
        this.config = config;
        this.namespace = config.namespace().orElseGet(client::getNamespace);
        this.random = random;
        this.inUse = inUse;
    }

    /**
     * Creates missing Secrets and updates derived ones.
     *
     * @return the configured master keys
     * @throws IllegalStateException when a master key is missing or a Secret to write has another owner; names the Secret
     */
    public MasterKeys reconcile() {
        String name = config.masterKeySecret().orElseThrow();
        MasterKeys keys = MasterKeyRing.read(name, masterKeys(name));
        config.controlPlaneSecret()
                .ifPresent(secret -> applyDerived(secret, KeyHolder.CONTROL_PLANE.roots(keys.all())));
        config.dataPlaneSecret().ifPresent(secret -> applyDerived(secret, KeyHolder.DATA_PLANE.roots(keys.all())));
        config.adminTokenSecret().ifPresent(secret -> getOrCreate(secret, TOKEN, this::token));
        return keys;
    }

    private Map<String, String> masterKeys(String name) {
        Optional<Secret> found = find(name);
        if (found.isEmpty() && !config.makeMasterKey()) {
            throw new IllegalStateException("the Secret " + name + " of the master keys is missing in namespace "
                    + namespace + ": create it, with 32 random bytes in base64 under the key 1");
        }
        if (found.isEmpty() && inUse.getAsBoolean()) {
            throw new IllegalStateException("the Secret " + name + " of the master keys is missing in namespace "
                    + namespace + " although there are projects: restore it from the backup. With a new one every"
                    + " project would get other keys and passwords");
        }
        return decoded(found.orElseGet(() -> getOrCreate(name, FIRST_VERSION, this::key)));
    }

    private String key() {
        return Base64.getEncoder().encodeToString(bytes());
    }

    private String token() {
        return KeyKind.PAT.format().encode(bytes());
    }

    private byte[] bytes() {
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Returns the existing Secret or creates it. Of replicas that start together one creates it and the others read it. */
    private Secret getOrCreate(String name, String key, Supplier<String> value) {
        return find(name).orElseGet(() -> {
            try {
                return client.resource(secret(name, key, value.get())).create();
            } catch (KubernetesClientException e) {
                if (e.getCode() != CONFLICT) {
                    throw e;
                }
                return find(name).orElseThrow(() -> e);
            }
        });
    }

    private void applyDerived(String name, String roots) {
        Optional<Secret> found = find(name);
        if (found.isPresent() && !isOurs(found.get())) {
            throw new IllegalStateException("the Secret " + name + " in namespace " + namespace
                    + " is not owned by the operator, which does not overwrite it: delete it, or configure another"
                    + " name");
        }
        if (found.map(InstallationSecrets::decoded)
                .filter(data -> roots.equals(data.get(ROOTS)))
                .isEmpty()) {
            client.resource(secret(name, ROOTS, roots))
                    .patch(new PatchContext.Builder()
                            .withPatchType(PatchType.SERVER_SIDE_APPLY)
                            .withFieldManager(Labels.OPERATOR)
                            .withForce(true)
                            .build());
        }
    }

    private static boolean isOurs(Secret secret) {
        Map<String, String> labels = secret.getMetadata().getLabels();
        return labels != null
                && Labels.OPERATOR.equals(labels.get(Labels.MANAGED_BY))
                && PURPOSE.equals(labels.get(Labels.PURPOSE));
    }

    private Optional<Secret> find(String name) {
        return Optional.ofNullable(
                client.secrets().inNamespace(namespace).withName(name).get());
    }

    private Secret secret(String name, String key, String value) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(LABELS)
                .endMetadata()
                .withType("Opaque")
                .withData(Map.of(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))))
                .build();
    }

    private static Map<String, String> decoded(Secret secret) {
        Map<String, String> decoded = new TreeMap<>();
        if (secret.getData() != null) {
            secret.getData()
                    .forEach((key, value) ->
                            decoded.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
        }
        return decoded;
    }
}

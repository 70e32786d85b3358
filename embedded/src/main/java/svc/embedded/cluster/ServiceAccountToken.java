package svc.embedded.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A token of a ServiceAccount, and manifests that define what it may do. */
public final class ServiceAccountToken {
    private static final long HALF_A_DAY_SECONDS = 43_200;

    private ServiceAccountToken() {}

    /**
     * Applies the manifest that defines the account and its roles, and requests a token that is valid for 12 hours.
     *
     * @param manifest such as {@code config/rbac/operator.yaml}
     */
    public static String install(KubernetesClient admin, Path manifest, String namespace, String account) {
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .serverSideApply();
        apply(admin, manifest, namespace);
        return of(admin, namespace, account);
    }

    /** A token of an account that exists, valid for 12 hours. */
    public static String of(KubernetesClient admin, String namespace, String account) {
        var request = new TokenRequestBuilder()
                .withNewSpec()
                .withExpirationSeconds(HALF_A_DAY_SECONDS)
                .endSpec()
                .build();
        return admin.serviceAccounts()
                .inNamespace(namespace)
                .withName(account)
                .tokenRequest(request)
                .getStatus()
                .getToken();
    }

    /**
     * Applies a manifest, as {@code kubectl apply -n} does.
     *
     * @param namespace of the objects that name none
     */
    public static void apply(KubernetesClient admin, Path manifest, String namespace) {
        try (var objects = Files.newInputStream(manifest)) {
            for (HasMetadata object : admin.load(objects).items()) {
                boolean placed = object.getMetadata().getNamespace() != null || !(object instanceof Namespaced);
                if (placed) {
                    admin.resource(object).serverSideApply();
                } else {
                    admin.resource(object).inNamespace(namespace).serverSideApply();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("while reading " + manifest, e);
        }
    }
}

package svc.embedded.cluster;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A token of a ServiceAccount with the permissions of a manifest. */
public final class ServiceAccountToken {
    private static final long HALF_A_DAY_SECONDS = 43_200;

    private ServiceAccountToken() {}

    /**
     * Applies the manifest that defines the account, and requests a token that is valid for 12 hours.
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
        try (var objects = Files.newInputStream(manifest)) {
            admin.load(objects).serverSideApply();
        } catch (IOException e) {
            throw new UncheckedIOException("while reading " + manifest, e);
        }
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
}

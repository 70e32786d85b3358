package svc.operator.testing;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The ServiceAccount and the rights that {@code config/rbac/operator.yaml} gives the operator. */
final class OperatorAccount {
    private static final Path MANIFEST = Path.of("..", "config", "rbac", "operator.yaml");
    private static final String NAMESPACE = "svc-system";
    private static final String NAME = "svc-operator";
    private static final long HALF_A_DAY = 43_200;

    private OperatorAccount() {}

    /** Applies the manifest and returns a token of the account, good for half a day. */
    static String install(KubernetesClient admin) {
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .serverSideApply();
        try (var manifest = Files.newInputStream(MANIFEST)) {
            admin.load(manifest).serverSideApply();
        } catch (IOException e) {
            throw new UncheckedIOException("while reading " + MANIFEST, e);
        }
        var request = new TokenRequestBuilder()
                .withNewSpec()
                .withExpirationSeconds(HALF_A_DAY)
                .endSpec()
                .build();
        return admin.serviceAccounts()
                .inNamespace(NAMESPACE)
                .withName(NAME)
                .tokenRequest(request)
                .getStatus()
                .getToken();
    }
}

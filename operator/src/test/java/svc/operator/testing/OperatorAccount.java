package svc.operator.testing;

import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import svc.embedded.cluster.ServiceAccountToken;

/** The ServiceAccount and the rights that {@code config/rbac} gives the operator. */
public final class OperatorAccount {
    public static final Path MANIFEST = Path.of("..", "config", "rbac", "operator.yaml");
    public static final String NAMESPACE = "svc-system";

    private static final Path EVERYWHERE = MANIFEST.resolveSibling("cluster-wide.yaml");
    private static final String NAME = "svc-operator";

    private OperatorAccount() {}

    /** With rights in all namespaces. Returns its token. */
    static String install(KubernetesClient admin) {
        String token = ServiceAccountToken.install(admin, MANIFEST, NAMESPACE, NAME);
        ServiceAccountToken.apply(admin, EVERYWHERE, NAMESPACE);
        return token;
    }

    /** Another account, which has the operator's rights in one served namespace alone; see {@link #nameIn}. */
    static String installIn(KubernetesClient admin, String served) {
        String account = nameIn(served);
        admin.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(account)
                        .endMetadata()
                        .build())
                .create();
        bind(admin, served, "ClusterRole", NAME, account);
        bind(admin, NAMESPACE, "Role", NAME + "-leader-election", account);
        bind(admin, NAMESPACE, "Role", NAME + "-installation", account);
        return ServiceAccountToken.of(admin, NAMESPACE, account);
    }

    /** The name of the account whose rights end with that namespace. */
    public static String nameIn(String served) {
        return NAME + "-" + served;
    }

    private static void bind(KubernetesClient admin, String namespace, String kind, String role, String account) {
        admin.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(role + "-" + account)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", kind, role)
                        .addNewSubject("", "ServiceAccount", account, NAMESPACE)
                        .build())
                .create();
    }
}

package svc.operator.testing;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;

/** Any cluster that a kubeconfig opens. Left as it is: with the three kinds, our roles, and the tests' namespaces. */
final class ForeignCluster implements TestingCluster {
    private final Config admin;
    private Config operator;

    ForeignCluster(Path kubeconfig) {
        this.admin = Config.fromKubeconfig(kubeconfig.toFile());
    }

    @Override
    public Config adminConfig() {
        return admin;
    }

    @Override
    public Config operatorConfig() {
        return operator;
    }

    @Override
    public void kindsInstalled(KubernetesClient client) {
        operator = new ConfigBuilder(Config.empty())
                .withMasterUrl(admin.getMasterUrl())
                .withCaCertFile(admin.getCaCertFile())
                .withCaCertData(admin.getCaCertData())
                .withTrustCerts(admin.isTrustCerts())
                .withOauthToken(OperatorAccount.install(client))
                .withNamespace("default")
                .build();
    }

    @Override
    public boolean isOurs() {
        return false;
    }

    @Override
    public void interrupt() {
        throw new UnsupportedOperationException("a cluster that others use is not stopped");
    }

    @Override
    public void resume() {
        throw new UnsupportedOperationException("a cluster that others use is not stopped");
    }

    @Override
    public void close() {
        // It existed before.
    }
}

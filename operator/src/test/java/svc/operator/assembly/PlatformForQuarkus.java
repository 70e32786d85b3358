package svc.operator.assembly;

import io.fabric8.kubernetes.client.Config;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.HashMap;
import java.util.Map;
import svc.operator.testing.TestingCluster;
import svc.operator.testing.TestingPostgres;

/** A Kubernetes API without the CRDs, which the operator installs by configuration, and a prepared database. */
public class PlatformForQuarkus implements QuarkusTestResourceLifecycleManager {
    private TestingCluster api;

    @Override
    public Map<String, String> start() {
        api = TestingCluster.another();
        Config access = api.adminConfig();
        Map<String, String> config = new HashMap<>();
        config.put("quarkus.kubernetes-client.api-server-url", access.getMasterUrl());
        config.put("quarkus.kubernetes-client.token", access.getOauthToken());
        config.put("quarkus.kubernetes-client.trust-certs", "true");
        config.put("svc.master-keys.1.value", TestingPostgres.masterKeyText());
        config.put("svc.databases.main.jdbc-url", TestingPostgres.server().jdbcUrl(TestingPostgres.database()));
        config.put("svc.databases.main.password", TestingPostgres.server().operatorPassword());
        config.put("svc.crds.apply", "true");
        // Any free port: two JVMs with Quarkus tests on one machine would both take 8081.
        config.put("quarkus.http.test-port", "0");
        return config;
    }

    @Override
    public void stop() {
        api.close();
    }
}

package svc.operator.runtime;

import io.fabric8.kubernetes.client.Config;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.operator.testing.TestingPostgres;

/** A Kubernetes API without our kinds, which the operator installs as told, and a prepared database. */
public class PlatformForQuarkus implements QuarkusTestResourceLifecycleManager {
    private EmbeddedKubernetes api;

    @Override
    public Map<String, String> start() {
        try {
            api = EmbeddedKubernetes.start(EmbeddedKubernetes.Settings.inMemory());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Config access = api.clientConfig();
        Map<String, String> config = new HashMap<>();
        config.put("quarkus.kubernetes-client.api-server-url", access.getMasterUrl());
        config.put("quarkus.kubernetes-client.token", api.token());
        config.put("quarkus.kubernetes-client.trust-certs", "true");
        config.put("svc.master-keys.1.value", TestingPostgres.masterKeyText());
        config.put("svc.databases.main.jdbc-url", TestingPostgres.server().jdbcUrl(TestingPostgres.database()));
        config.put("svc.databases.main.password", TestingPostgres.server().operatorPassword());
        config.put("svc.crds.apply", "true");
        return config;
    }

    @Override
    public void stop() {
        try {
            api.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package svc.server.testing;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import svc.crds.CrdCatalog;
import svc.database.key.KeyKind;
import svc.database.key.Purpose;
import svc.database.platform.PlatformSchema;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.embedded.redis.EmbeddedRedis;
import svc.embedded.s3.EmbeddedS3;
import svc.testing.TestingKeys;

/** Starts the servers that an api-server depends on, and a {@link TestingProjectOperator}. */
public final class TestingPlatform implements QuarkusTestResourceLifecycleManager {
    public static final String NAMESPACE = "svc";

    /** A token of the organisation default with all permissions. */
    public static final String ADMIN =
            KeyKind.PAT.format().encode("the admin token of every test...".getBytes(StandardCharsets.UTF_8));

    /** The directory of functions' sockets; short, because socket addresses are. */
    public static final Path SOCKETS =
            Path.of("/tmp", "svc-fn-" + ProcessHandle.current().pid());

    private EmbeddedKubernetes kubernetes;
    private EmbeddedRedis redis;
    private EmbeddedS3 s3;
    private KubernetesClient client;
    private TestingProjectOperator operator;

    @Override
    public Map<String, String> start() {
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.shared();
            String database = postgres.createDatabase("api_test");
            PlatformSchema.migrate(postgres.dataSource(database));
            setPlatformPassword(postgres, database);
            kubernetes = EmbeddedKubernetes.start(EmbeddedKubernetes.Settings.inMemory());
            redis = EmbeddedRedis.forTests();
            s3 = EmbeddedS3.forTests();
            Config config = kubernetes.clientConfig();
            client = new KubernetesClientBuilder().withConfig(config).build();
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(NAMESPACE)
                            .endMetadata()
                            .build())
                    .create();
            CrdCatalog.load().all().forEach(crd -> client.resource(crd).create());
            operator = new TestingProjectOperator(client);
            return settings(postgres, database, config);
        } catch (IOException e) {
            throw new UncheckedIOException("while starting the platform of the tests", e);
        }
    }

    private Map<String, String> settings(EmbeddedPostgres postgres, String database, Config config) {
        Map<String, String> settings = new HashMap<>();
        settings.put("quarkus.kubernetes-client.api-server-url", config.getMasterUrl());
        settings.put("quarkus.kubernetes-client.token", config.getOauthToken());
        settings.put("quarkus.kubernetes-client.ca-cert-data", config.getCaCertData());
        settings.put("quarkus.redis.hosts", redis.url());
        settings.put("svc.api.s3.endpoint", s3.endpoint().toString());
        settings.put("svc.api.s3.bucket", "svc-tests");
        settings.put("svc.api.s3.access-key", s3.credentials().accessKey());
        settings.put("svc.api.s3.secret-key", s3.credentials().secretKey());
        settings.put("svc.api.keys.master.1", TestingKeys.encoded());
        settings.put("svc.api.platform.url", postgres.jdbcUrl(database));
        // Projects' servers of the tests are on this machine, where the platform's are too.
        settings.put("svc.project-servers.networks", "127.0.0.0/8,::1");
        settings.put("svc.api.hosts.domain", "svc.example");
        settings.put("svc.api.hosts.data", "data.example");
        settings.put("svc.api.hosts.path-style", "true");
        settings.put("svc.api.hosts.base-url", "http://api.svc.example/v1");
        settings.put("svc.api.limits.control-body", "64K");
        settings.put("svc.api.limits.data-body", "128K");
        settings.put("svc.api.limits.memory", "120M");
        settings.put("svc.api.limits.body-grace", "2s");
        settings.put("svc.api.limits.connections.max", "400");
        settings.put("svc.api.limits.connections.per-address", "300");
        settings.put("svc.api.limits.connections.head", "2s");
        settings.put("svc.api.limits.connections.stalled", "4s");
        settings.put("svc.api.projects.ready-wait", "2s");
        settings.put("svc.api.tokens.admin", ADMIN);
        settings.put("svc.api.sql.sessions", "24");
        settings.put("svc.api.postgres.port", "0");
        settings.put("svc.api.postgres.turn", "500ms");
        settings.put("svc.api.postgres.per-project", "5");
        settings.put("svc.api.functions.sockets", SOCKETS.toString());
        settings.put("svc.api.functions.activation-wait", "5s");
        settings.put("svc.api.functions.activation-queue", "5");
        settings.put("svc.api.functions.concurrency", "4");
        settings.put("svc.api.functions.body-timeout", "3s");
        settings.put("svc.api.functions.idle-check", "0.2s");
        settings.put("svc.api.functions.ready-wait", "3s");
        settings.put("svc.api.functions.boot-time", "6s");
        settings.put("svc.api.functions.follow-time", "30s");
        settings.put("svc.logs.follow-time", "30s");
        // No test reaches the public registries; the port refuses connections.
        settings.put("svc.api.functions.npm-registry", "http://127.0.0.1:1");
        settings.put("svc.api.functions.jsr-registry", "http://127.0.0.1:1");
        settings.put("svc.api.functions.private-registries", "true");
        settings.put("svc.api.limits.function-body", "16M");
        return settings;
    }

    private static void setPlatformPassword(EmbeddedPostgres postgres, String database) {
        String verifier = TestingKeys.platformLogin(Purpose.LOGIN_PLATFORM).scramVerifier();
        try (Connection connection = postgres.connect(database);
                var statement = connection.createStatement()) {
            statement.execute("ALTER ROLE svc_platform PASSWORD " + statement.enquoteLiteral(verifier));
        } catch (SQLException e) {
            throw new IllegalStateException("while setting the platform login's password", e);
        }
    }

    @Override
    public void stop() {
        try {
            operator.close();
            client.close();
            kubernetes.close();
            redis.close();
            s3.close();
        } catch (IOException e) {
            throw new UncheckedIOException("while stopping the platform of the tests", e);
        }
    }
}

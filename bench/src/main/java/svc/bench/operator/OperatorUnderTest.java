package svc.bench.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.Map;
import svc.crds.CrdCatalog;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.embedded.process.Folders;
import svc.operator.assembly.OperatorAssembly;
import svc.operator.config.PlainOperatorConfig;

/** An operator with the settings it has in production, on a PostgreSQL that waits for its disk, as production's does. */
final class OperatorUnderTest implements AutoCloseable {
    private static final String DATABASE = "svc";

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final EmbeddedPostgres postgres;
    private final KubernetesClient client;
    private final OperatorAssembly assembly;

    private OperatorUnderTest(Path folder) throws IOException, SQLException {
        started.push(() -> Folders.deleteRecursively(folder));
        this.postgres = EmbeddedPostgres.start(EmbeddedPostgres.Settings.lasting(folder.resolve("postgres"), 0));
        started.push(postgres);
        try (var connection = postgres.connect("postgres");
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + DATABASE);
        }
        var kubernetes = EmbeddedKubernetes.start(EmbeddedKubernetes.Settings.inMemory());
        started.push(kubernetes);
        this.client = new KubernetesClientBuilder()
                .withConfig(kubernetes.clientConfig())
                .build();
        started.push(client);
        CrdCatalog.load().all().forEach(crd -> client.resource(crd).create());
        var config = PlainOperatorConfig.of(Map.of(
                "svc.master-keys.1.value", Base64.getEncoder().encodeToString(new byte[32]),
                "svc.databases.main.jdbc-url", postgres.jdbcUrl(DATABASE),
                "svc.databases.main.password", postgres.operatorPassword()));
        this.assembly = new OperatorAssembly(config, client, InstantSource.system(), observation -> {});
        started.push(assembly);
    }

    static OperatorUnderTest prepare() throws IOException, SQLException {
        return new OperatorUnderTest(Files.createTempDirectory("svc-bench-"));
    }

    EmbeddedPostgres postgres() {
        return postgres;
    }

    String database() {
        return DATABASE;
    }

    KubernetesClient client() {
        return client;
    }

    OperatorAssembly assembly() {
        return assembly;
    }

    @Override
    public void close() throws Exception {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }
}

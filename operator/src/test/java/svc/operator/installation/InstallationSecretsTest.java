package svc.operator.installation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import svc.database.key.KeyHolder;
import svc.database.key.KeyKind;
import svc.database.key.Purpose;
import svc.database.key.PurposeRoot;
import svc.operator.assembly.OperatorAssembly;
import svc.operator.config.PlainOperatorConfig;
import svc.operator.testing.TestingApi;
import svc.operator.testing.TestingCluster;
import svc.operator.testing.TestingPostgres;

/** Promise: the platform's credentials are generated once, at the first start, and each plane gets only its own root keys. */
class InstallationSecretsTest {
    private static final String MASTER = "svc-master-key";
    private static final String CONTROL = "svc-control-plane-roots";
    private static final String DATA = "svc-data-plane-roots";
    private static final String ADMIN = "svc-admin-token";

    private final KubernetesClient client = TestingApi.client();
    private final String namespace = TestingApi.namespace();
    private final Map<String, String> config = new HashMap<>(Map.of(
            "svc.databases.main.jdbc-url", TestingPostgres.server().jdbcUrl("nothing_yet"),
            "svc.databases.main.password", TestingPostgres.server().operatorPassword(),
            "svc.installation.namespace", namespace,
            "svc.installation.master-key-secret", MASTER,
            "svc.installation.make-master-key", "true",
            "svc.installation.control-plane-secret", CONTROL,
            "svc.installation.data-plane-secret", DATA,
            "svc.installation.admin-token-secret", ADMIN));

    @Test
    void theFirstStartMakesThemAndLaterOnesWriteNothing() {
        useDatabase(TestingPostgres.server().createDatabase("installed"));

        start();
        Map<String, String> versions = versions();
        start();

        assertThat(versions).containsOnlyKeys(MASTER, CONTROL, DATA, ADMIN);
        assertThat(versions()).isEqualTo(versions);
        assertThat(Base64.getDecoder().decode(data(MASTER).get("1"))).hasSize(32);
        assertThat(KeyKind.of(data(ADMIN).get("token"))).contains(KeyKind.PAT);
    }

    @Test
    void eachPlaneHoldsTheRootsOfItsPurposesAndNoOther() {
        useDatabase(TestingPostgres.server().createDatabase("roots"));

        start();

        assertThat(purposes(CONTROL)).isEqualTo(KeyHolder.CONTROL_PLANE.purposes());
        assertThat(purposes(DATA)).isEqualTo(KeyHolder.DATA_PLANE.purposes()).doesNotContain(Purpose.OWNER);
        assertThat(data(CONTROL).toString() + data(DATA))
                .doesNotContain(data(MASTER).get("1"));
    }

    @Test
    void aSecondMasterKeyAddsItsRootsBesideThoseOfTheFirst() {
        bring(MASTER, Map.of("1", TestingPostgres.masterKeyText()));
        start();
        String before = data(DATA).get("roots");
        String second = Base64.getEncoder().encodeToString(new byte[48]);
        client.secrets()
                .inNamespace(namespace)
                .withName(MASTER)
                .edit(secret -> new SecretBuilder(secret)
                        .addToData("2", encoded(second))
                        .build());

        start();

        assertThat(data(DATA).get("roots")).startsWith(before + ",").contains("_2_");
    }

    @Test
    void aBroughtKeyIsUsedAndNeverWritten() {
        Secret brought = bring(MASTER, Map.of("1", TestingPostgres.masterKeyText()));

        start();

        assertThat(versions()).containsEntry(MASTER, brought.getMetadata().getResourceVersion());
        String owner = TestingPostgres.masterKeys().newest().root(Purpose.OWNER).export();
        assertThat(data(CONTROL).get("roots")).contains(owner);
    }

    @Test
    void aBroughtKeyThatIsMissingStopsTheStart() {
        config.put("svc.installation.make-master-key", "false");

        assertThatThrownBy(this::start).hasMessageContaining(MASTER).hasMessageContaining("create it");
        assertThat(versions()).isEmpty();
    }

    @Test
    void aKeyThatCannotBeReadStopsTheStartAndIsNotRepeated() {
        bring(MASTER, Map.of("1", "no base64!"));
        assertThatThrownBy(this::start).hasMessage("master key 1 is not base64");

        client.secrets().inNamespace(namespace).withName(MASTER).delete();
        bring(MASTER, Map.of("tls.key", "abc"));
        assertThatThrownBy(this::start).hasMessageContaining("tls.key").hasMessageContaining("a number from 1");
    }

    @Test
    void aLostKeyIsNotReplacedWhileThereAreProjects() throws SQLException {
        String database = TestingPostgres.database();
        useDatabase(database);
        try (var connection = TestingPostgres.server().connect(database);
                var statement = connection.createStatement()) {
            statement.execute("INSERT INTO svc_platform.project (project_id, ref, schema_name, layout, namespace, name,"
                    + " database_name, incarnation, master_key_version) VALUES ('00000000-0000-0000-0000-000000000000', 'abcdefgh',"
                    + " 'proj_' || repeat('0', 32), 'shared', 'n', 'p', 'main', decode(repeat('00', 32), 'hex'), 1)");
        }

        assertThatThrownBy(this::start).hasMessageContaining("restore it from the backup");
        assertThat(versions()).isEmpty();
    }

    @Test
    void whetherThereAreProjectsMustBeKnownFirst() {
        useDatabase("is_not_there");

        assertThatThrownBy(this::start)
                .hasMessageContaining("must answer before the operator generates a first master key");
        assertThat(versions()).isEmpty();
    }

    @Test
    void aSecretOfAnotherOwnerIsNotOverwritten() {
        bring(MASTER, Map.of("1", TestingPostgres.masterKeyText()));
        Secret foreign = bring(DATA, Map.of("roots", "precious"));

        assertThatThrownBy(this::start).hasMessageContaining(DATA).hasMessageContaining("not owned by the operator");
        assertThat(versions()).containsEntry(DATA, foreign.getMetadata().getResourceVersion());
    }

    @Test
    void replicasThatStartTogetherAgreeOnOneKey() throws Exception {
        useDatabase(TestingPostgres.server().createDatabase("replicas"));
        try (var replicas = Executors.newFixedThreadPool(4)) {
            List<Future<?>> starts = Arrays.asList(
                    replicas.submit(this::start),
                    replicas.submit(this::start),
                    replicas.submit(this::start),
                    replicas.submit(this::start));
            for (Future<?> one : starts) {
                one.get();
            }
        }
        String roots = data(DATA).get("roots");

        start();

        assertThat(data(DATA).get("roots")).isEqualTo(roots);
    }

    @Test
    void keysFromTwoPlacesAreRefused() {
        config.put("svc.master-keys.1.value", TestingPostgres.masterKeyText());

        assertThatThrownBy(this::start).hasMessageContaining("not both");
    }

    /** With the operator's own rights. */
    private void start() {
        try (KubernetesClient operator =
                TestingCluster.connect(TestingApi.cluster().operatorConfig())) {
            new OperatorAssembly(PlainOperatorConfig.of(config), operator, Clock.systemUTC(), observation -> {})
                    .close();
        }
    }

    private void useDatabase(String name) {
        config.put("svc.databases.main.jdbc-url", TestingPostgres.server().jdbcUrl(name));
    }

    private Secret bring(String name, Map<String, String> data) {
        return client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .withData(data.entrySet().stream()
                                .collect(Collectors.toMap(Map.Entry::getKey, entry -> encoded(entry.getValue()))))
                        .build())
                .create();
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private Map<String, String> versions() {
        return client.secrets().inNamespace(namespace).list().getItems().stream()
                .collect(Collectors.toMap(
                        secret -> secret.getMetadata().getName(),
                        secret -> secret.getMetadata().getResourceVersion()));
    }

    private Map<String, String> data(String name) {
        Map<String, String> decoded = new HashMap<>();
        client.secrets()
                .inNamespace(namespace)
                .withName(name)
                .get()
                .getData()
                .forEach((key, value) ->
                        decoded.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
        return decoded;
    }

    private Set<Purpose> purposes(String name) {
        return Arrays.stream(data(name).get("roots").split(","))
                .map(text -> PurposeRoot.parse(text).orElseThrow().purpose())
                .collect(Collectors.toSet());
    }
}

package svc.chart.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.auth.mail.MailConfig;
import svc.auth.mail.SmtpServer;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.management.function.bundle.BundleConfig;
import svc.management.postgres.PostgresEndpointConfig;
import svc.operator.config.OperatorConfig;
import svc.platform.clientip.ProxyConfig;
import svc.platform.config.ApiConfig;
import svc.platform.config.S3Config;
import svc.platform.config.ServerRole;
import svc.platform.projectlog.LogConfig;
import svc.realtime.RealtimeConfig;
import svc.storage.StorageConfig;

/** Each variable of each pod is a key of the program in it, and is read as what the value meant. */
class SettingsAreKeysTest {
    private static final int ORDINAL = 300;

    /** Keys of the framework and of Java that the chart sets, each of which exists in them. */
    private static final Set<String> OF_THE_FRAMEWORK = Set.of(
            "JDK_JAVA_OPTIONS",
            "QUARKUS_LOG_LEVEL",
            "QUARKUS_REDIS_HOSTS",
            "QUARKUS_REDIS_PASSWORD",
            "QUARKUS_SHUTDOWN_DELAY",
            "QUARKUS_SHUTDOWN_TIMEOUT");

    private static final List<Class<?>> OPERATOR = List.of(OperatorConfig.class);
    private static final List<Class<?>> API = List.of(
            ApiConfig.class,
            ProxyConfig.class,
            BundleConfig.class,
            S3Config.class,
            MailConfig.class,
            StorageConfig.class,
            RealtimeConfig.class,
            hidden("svc.realtime.feed.ChangeFeedProducer$Config"),
            LogConfig.class,
            PostgresEndpointConfig.class,
            hidden("svc.platform.egress.Egress$Config"),
            hidden("svc.platform.tenancy.ProjectServers$Config"));

    /** Known to its own package only. */
    private static Class<?> hidden(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<Path> sets() {
        return Chart.valueSets();
    }

    @ParameterizedTest
    @MethodSource("sets")
    void everyVariableIsAKey(Path values) {
        Rendering rendering = Chart.render(values);

        assertThat(unknown(environment(rendering, "operator"), OPERATOR)).isEmpty();
        assertThat(unknown(environment(rendering, "control-plane"), API)).isEmpty();
        assertThat(unknown(environment(rendering, "data-plane"), API)).isEmpty();
    }

    @Test
    void theOperatorReadsWhatTheValuesSay() {
        OperatorConfig config =
                config(Chart.valueSet("gateway"), "operator", OPERATOR).getConfigMapping(OperatorConfig.class);

        assertThat(config.dataUrl()).isEqualTo("https://{ref}.data.example.com");
        assertThat(config.databases().get(config.platformDatabase()).jdbcUrl())
                .isEqualTo("jdbc:postgresql://postgres.db.svc:5432/svc?sslmode=prefer");
        assertThat(config.databases().get("main").passwordFile()).contains(Path.of("/etc/svc/database/password"));
        assertThat(config.databases().get("main").username()).isEqualTo("svc_operator");
        assertThat(config.masterKeys()).isEmpty();
        assertThat(config.installation().masterKeySecret()).contains("svc-master-key");
        assertThat(config.installation().makeMasterKey()).isTrue();
        assertThat(config.installation().dataPlaneSecret()).contains("svc-data-plane-roots");
        assertThat(config.installation().adminTokenSecret()).contains("svc-admin-token");
        assertThat(config.installation().namespace()).contains(Chart.NAMESPACE);
        assertThat(config.runtime().gatewayUrl()).contains("http://{ref}.data.example.com");
        assertThat(config.runtime().gatewayNamespace()).isEqualTo(Chart.NAMESPACE);
        assertThat(config.runtime().closedNetworks()).contains(List.of("203.0.113.0/24", "2001:db8::/32"));
        assertThat(config.operator().functionImage()).isEqualTo("svc/function-runtime:0.1.0");
        assertThat(config.operator().realtimeImage()).contains("svc/api-server:0.1.0");
        assertThat(config.operator().leaderElection().enabled()).isTrue();
        assertThat(config.operator().leaderElection().leaseNamespace()).contains(Chart.NAMESPACE);
        assertThat(config.operator().terminationTimeout()).isEqualTo(Duration.ofSeconds(35));
        assertThat(config.operator().watchNamespaces()).contains(List.of("svc-system-projects"));
        assertThat(config.crds().apply()).isFalse();
    }

    @Test
    void broughtSecretsAreNotMade() {
        OperatorConfig config =
                config(Chart.valueSet("ha"), "operator", OPERATOR).getConfigMapping(OperatorConfig.class);

        assertThat(config.installation().masterKeySecret()).contains("svc-keys-from-vault");
        assertThat(config.installation().makeMasterKey()).isFalse();
        assertThat(config.installation().adminTokenSecret()).isEmpty();
        assertThat(config.databases().get("main").jdbcUrl())
                .endsWith("?sslmode=verify-full&sslrootcert=%2Fetc%2Fpostgres%2Fca.crt");
        assertThat(config.operator().functionImage())
                .isEqualTo("registry.example.com/platform/svc/function-runtime:0.1.0");
    }

    @Test
    void aClusterOfCloudNativePgIsReachedByItsOwnSecret() {
        Rendering rendering = Chart.render(Chart.valueSet("cnpg"));
        OperatorConfig config =
                config(Chart.valueSet("cnpg"), "operator", OPERATOR).getConfigMapping(OperatorConfig.class);

        assertThat(config.databases().get("main").jdbcUrl()).contains("//svc-db-rw.svc-system.svc:5432/svc?");
        assertThat(environment(rendering, "operator"))
                .containsEntry("SVC_DATABASES_MAIN_USERNAME", "secret svc-db-superuser/username");
        assertThat(rendering
                        .get("Cluster", "svc-db")
                        .at("/spec/enableSuperuserAccess")
                        .asBoolean())
                .isTrue();
        assertThat(rendering
                        .get("Cluster", "svc-db")
                        .at("/spec/bootstrap/initdb/database")
                        .asText())
                .isEqualTo("svc");
    }

    @Test
    void theControlPlaneReadsWhatTheValuesSay() {
        SmallRyeConfig all = config(Chart.valueSet("ha"), "control-plane", API);
        ApiConfig config = all.getConfigMapping(ApiConfig.class);

        assertThat(config.roles()).containsExactly(ServerRole.CONTROL);
        assertThat(config.hosts().control().orElseThrow())
                .containsExactly("api.example.com", "svc-control-plane.svc-system.svc");
        assertThat(config.hosts().data()).isEqualTo("data.example.com");
        assertThat(config.hosts().baseUrl()).isEqualTo("https://api.example.com/v1");
        assertThat(config.hosts().pathStyle()).isFalse();
        assertThat(config.keys().master()).isEmpty();
        assertThat(config.keys().roots()).contains(List.of("secret svc-control-plane-roots/roots"));
        assertThat(config.tokens().admin()).contains("secret svc-admin-from-vault/pat");
        assertThat(config.platform().url().orElseThrow()).startsWith("jdbc:postgresql://postgres.db.svc:5432/svc?");
        assertThat(config.projects().namespace()).isEqualTo("svc-system-projects");
        assertThat(all.getConfigMapping(ProxyConfig.class).trusted()).contains(List.of("10.0.0.0/8"));
        S3Config s3 = all.getConfigMapping(S3Config.class);
        assertThat(s3.bucket()).contains("svc");
        assertThat(s3.endpoint().orElseThrow()).hasToString("https://s3.example.com:9000");
        assertThat(s3.accessKey()).contains("secret svc-s3/access-key");
        assertThat(s3.caFile()).contains(Path.of("/etc/svc/s3/ca.crt"));
        assertThat(all.getValue("quarkus.redis.hosts", String.class)).isEqualTo("rediss://redis.cache.svc:6379/0");
    }

    /** The pods have the credentials of their service accounts; the operator keeps nothing in the bucket. */
    @Test
    void credentialsOfTheEnvironmentAreNotNamed() {
        for (String component : List.of("control-plane", "data-plane")) {
            S3Config s3 = config(Chart.valueSet("gateway"), component, API).getConfigMapping(S3Config.class);
            assertThat(s3.bucket()).contains("svc");
            assertThat(s3.accessKey()).isEmpty();
            assertThat(s3.secretKey()).isEmpty();
            assertThat(s3.caFile()).isEmpty();
            assertThat(s3.pathStyle()).isFalse();
            assertThat(s3.region()).isEqualTo("eu-central-1");
        }
        JsonNode pod = Chart.render(Chart.valueSet("ha")).deployment("operator").at("/spec/template/spec");
        assertThat(pod.toString()).doesNotContain("/etc/svc/s3");
    }

    @Test
    void theDataPlaneReadsWhatTheValuesSay() {
        ApiConfig config =
                config(Chart.valueSet("namespaced"), "data-plane", API).getConfigMapping(ApiConfig.class);

        assertThat(config.roles()).containsExactly(ServerRole.DATA);
        assertThat(config.projects().watch()).contains(List.of("team-a", "team-b", "backends"));
        assertThat(config.platform().url()).isEmpty();
        assertThat(config.tokens().admin()).isEmpty();
    }

    /** A program that watched all of them with rights in some would be refused by the API server, again and again. */
    @ParameterizedTest
    @MethodSource("sets")
    void allThreeServeTheNamespacesInWhichTheyHaveRights(Path values) {
        Rendering rendering = Chart.render(values);
        String served = environment(rendering, "operator").get("SVC_OPERATOR_WATCH_NAMESPACES");

        for (String plane : List.of("control-plane", "data-plane")) {
            assertThat(environment(rendering, plane).get("SVC_API_PROJECTS_WATCH"))
                    .isEqualTo(served);
        }
        for (String component : List.of("operator", "control-plane", "data-plane")) {
            Set<String> granted = rendering.ofKind("RoleBinding").stream()
                    .filter(binding -> Rendering.name(binding).endsWith("-" + component))
                    .map(binding -> binding.at("/metadata/namespace").asText())
                    .collect(Collectors.toSet());
            boolean everywhere = rendering.ofKind("ClusterRoleBinding").stream()
                    .anyMatch(binding -> Rendering.name(binding).endsWith("-" + component));
            if (everywhere) {
                assertThat(served).isNull();
            } else if (!granted.isEmpty()) {
                assertThat(served.split(",")).containsExactlyInAnyOrderElementsOf(granted);
            }
        }
    }

    @Test
    void theDataPlaneSendsMailsAsTheValuesSay() {
        SmtpServer server = config(Chart.valueSet("ha"), "data-plane", API)
                .getConfigMapping(MailConfig.class)
                .server()
                .orElseThrow();

        assertThat(server.host()).isEqualTo("smtp.example.com");
        assertThat(server.port()).isEqualTo(2587);
        assertThat(server.security()).isEqualTo(SmtpServer.Security.STARTTLS);
        assertThat(server.from()).isEqualTo("no-reply@example.com");
        assertThat(server.senderName()).isEqualTo("Example, Inc.");
        assertThat(server.login()).contains(new SmtpServer.Login("svc", "secret svc-mail/password"));
        assertThat(environment(Chart.render(Chart.valueSet("ha")), "control-plane")
                        .keySet())
                .noneMatch(name -> name.startsWith("SVC_MAIL"));
        assertThat(config(Chart.valueSet("default"), "data-plane", API)
                        .getConfigMapping(MailConfig.class)
                        .server())
                .isEmpty();
    }

    @Test
    void networksOfTheClusterAreClosedToFunctionsAndToCallsForTenants() {
        Rendering rendering = Chart.render(Chart.valueSet("gateway"));
        String closed = "203.0.113.0/24,2001:db8::/32";

        assertThat(environment(rendering, "operator")).containsEntry("SVC_RUNTIME_CLOSED_NETWORKS", closed);
        assertThat(environment(rendering, "control-plane")).containsEntry("SVC_API_EGRESS_CLOSED", closed);
        assertThat(environment(rendering, "data-plane")).containsEntry("SVC_API_EGRESS_CLOSED", closed);
    }

    @Test
    void registriesOfOnesOwnReachTheBundler() {
        BundleConfig config =
                config(Chart.valueSet("own-accounts"), "control-plane", API).getConfigMapping(BundleConfig.class);

        assertThat(config.importHosts()).containsExactly("esm.example.com");
        assertThat(config.npmRegistry()).isEqualTo("https://npm.example.com");
        assertThat(config.privateRegistries()).isTrue();
    }

    /** A variable that comes of a Secret has the Secret's name and key for a value here. */
    static Map<String, String> environment(Rendering rendering, String component) {
        Map<String, String> environment = new TreeMap<>();
        for (JsonNode variable :
                Rendering.container(rendering.deployment(component)).path("env")) {
            JsonNode secret = variable.at("/valueFrom/secretKeyRef");
            String value = secret.isMissingNode()
                    ? variable.path("value").asText()
                    : "secret " + secret.path("name").asText() + "/"
                            + secret.path("key").asText();
            String before = environment.put(variable.path("name").asText(), value);
            assertThat(before).as("a second %s", variable.path("name")).isNull();
        }
        return environment;
    }

    private static SmallRyeConfig config(Path values, String component, List<Class<?>> mappings) {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withSources(new EnvConfigSource(environment(Chart.render(values), component), ORDINAL));
        mappings.forEach(builder::withMapping);
        // The two programs have keys below one prefix; each knows its own only.
        builder.withDefaultValue("smallrye.config.mapping.validate-unknown", "false");
        return builder.build();
    }

    private static List<String> unknown(Map<String, String> environment, List<Class<?>> mappings) {
        List<String> patterns = new ArrayList<>();
        mappings.stream()
                .flatMap(mapping ->
                        ConfigMappings.getProperties(ConfigMappings.ConfigClass.configClass(mapping)).keySet().stream())
                .map(key ->
                        key.replace("*", "~").replaceAll("[^A-Za-z0-9~]", "_").replace("~", "[A-Z0-9_]+"))
                .forEach(pattern -> patterns.add(pattern.toUpperCase(Locale.ROOT)));
        return environment.keySet().stream()
                .filter(name -> !OF_THE_FRAMEWORK.contains(name))
                .filter(name -> patterns.stream().noneMatch(name::matches))
                .toList();
    }
}

package svc.e2e.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import svc.crds.CrdCatalog;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionSpec;
import svc.crds.function.FunctionObject;
import svc.crds.reference.LocalReference;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ApiServerProcess;
import svc.e2e.platform.OperatorProcess;
import svc.embedded.cluster.AuditedRequests;
import svc.embedded.cluster.ControlPlane;
import svc.embedded.cluster.GrantedRights;
import svc.embedded.cluster.ServiceAccountToken;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.embedded.process.Folders;
import svc.embedded.redis.EmbeddedRedis;
import svc.embedded.s3.EmbeddedS3;

/**
 * Promise: {@code config/rbac/control-plane.yaml} and {@code data-plane.yaml}, which the chart repeats, grant what the two planes
 * use and nothing else, bound in the served namespace alone or in all. Each is a process with its own account on Kubernetes'
 * own API server, which enforces the grants; one life of a project and its functions is read back from that server's audit.
 */
@EnabledIfSystemProperty(
        named = "testing.kubernetes",
        matches = ".+",
        disabledReason = "there is no program with Kubernetes' own control plane")
class RightsOfThePlanesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path GRANTS = Path.of("..", "config", "rbac");
    private static final String SYSTEM = "svc-system";
    private static final String PROJECTS = "svc-projects";
    private static final String CONTROL = "control-plane";
    private static final String DATA = "data-plane";
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String SOURCE = "Deno.serve(() => new Response('hello'));";

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private ControlPlane kubernetes;
    private KubernetesClient admin;
    private ApiServerProcess control;
    private ApiServerProcess data;
    private String token;

    /** Where the roles are bound. */
    enum Scope {
        SERVED("served-namespace.yaml"),
        EVERYWHERE("cluster-wide.yaml");

        private final String bindings;

        Scope(String bindings) {
            this.bindings = bindings;
        }

        /** Settings that restrict a process to where it has rights. */
        Map<String, String> settings(String key) {
            return this == SERVED ? Map.of(key, PROJECTS) : Map.of();
        }
    }

    private void start(Scope scope) throws Exception {
        Path program = Path.of(System.getProperty("testing.kubernetes"));
        assumeTrue(Files.isExecutable(program), "only Kubernetes' own API server says who asked for what");
        Path folder = Files.createTempDirectory("svc-e2e-rights-");
        started.push(() -> Folders.deleteRecursively(folder));
        var postgres = EmbeddedPostgres.start(EmbeddedPostgres.Settings.forTests());
        started.push(postgres);
        String database = postgres.createDatabase("svc");
        var redis = EmbeddedRedis.forTests();
        started.push(redis);
        var s3 = EmbeddedS3.forTests();
        started.push(s3);
        kubernetes = ControlPlane.start(program);
        started.push(kubernetes);
        admin = new KubernetesClientBuilder()
                .withConfig(kubernetes.adminConfig())
                .build();
        started.push(admin);
        CrdCatalog.load().all().forEach(kind -> admin.resource(kind).create());
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(PROJECTS)
                        .endMetadata()
                        .build())
                .create();
        kubernetes.startControllers();

        String operatorToken =
                ServiceAccountToken.install(admin, GRANTS.resolve("operator.yaml"), SYSTEM, "svc-operator");
        ServiceAccountToken.apply(admin, GRANTS.resolve(scope.bindings), PROJECTS);
        var settings = new HashMap<>(scope.settings("svc.operator.watch-namespaces"));
        settings.putAll(Map.of(
                "svc.installation.master-key-secret",
                "svc-master-key",
                "svc.installation.make-master-key",
                "true",
                "svc.installation.control-plane-secret",
                secretOf(CONTROL),
                "svc.installation.data-plane-secret",
                secretOf(DATA),
                "svc.installation.admin-token-secret",
                "svc-admin-token",
                "svc.installation.namespace",
                SYSTEM,
                "svc.databases.main.jdbc-url",
                postgres.jdbcUrl(database),
                "svc.databases.main.password",
                postgres.operatorPassword()));
        started.push(
                OperatorProcess.start(kubernetes.configOf(operatorToken), settings, folder.resolve("operator.log")));
        token = secret("svc-admin-token", "token");
        var both = new HashMap<>(scope.settings("svc.api.projects.watch"));
        both.putAll(Map.of(
                "quarkus.redis.hosts",
                "redis://127.0.0.1:" + redis.port(),
                "svc.api.projects.namespace",
                PROJECTS,
                "svc.api.s3.endpoint",
                s3.endpoint().toString(),
                "svc.api.s3.region",
                "us-east-1",
                "svc.api.s3.bucket",
                "svc",
                "svc.api.s3.access-key",
                s3.credentials().accessKey(),
                "svc.api.s3.secret-key",
                s3.credentials().secretKey(),
                "svc.api.s3.path-style",
                "true",
                // There is no node, so no process ever comes up.
                "svc.api.functions.ready-wait",
                "1s",
                "svc.api.functions.activation-wait",
                "2s"));
        control = plane(
                CONTROL,
                "control",
                both,
                Map.of(
                        "svc.api.hosts.loopback-control",
                        "true",
                        "svc.api.platform.url",
                        postgres.jdbcUrl(database),
                        "svc.api.tokens.admin",
                        token),
                folder);
        data = plane(DATA, "data", both, Map.of(), folder);
    }

    @AfterEach
    void stop() throws Exception {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyGrantIsUsedAndNoneIsMissing(Scope scope) throws Exception {
        start(scope);
        liveOnce();
        // A watch is counted when it ends.
        control.close();
        data.close();

        expectUsed(CONTROL);
        expectUsed(DATA);
        AuditedRequests operator = AuditedRequests.read(kubernetes.auditLog(), SYSTEM, "svc-operator");
        assertThat(operator.refused()).as("rights that the operator lacks").isEmpty();
        assertThat(operator.in(SYSTEM).used())
                .as("rights that the operator uses in its own namespace")
                .containsAll(
                        GrantedRights.of(admin, GRANTS.resolve("operator.yaml"), "svc-operator-installation"::equals));
    }

    private void liveOnce() throws Exception {
        JsonNode project =
                call("POST", "/v1/projects", Map.of("name", "rights")).json().get("project");
        String at = "/v1/projects/" + project.get("ref").asText();
        call("PATCH", at, Map.of("name", "renamed"));
        Map<String, String> secret = Map.of("functionName", "hello", "key", "WORD", "value", "first");
        call("PUT", at + "/functions/secrets", secret);
        call("PUT", at + "/functions/secrets", Map.of("functionName", "hello", "key", "WORD", "value", "second"));
        call("POST", at + "/functions/deploy", Map.of("name", "hello", "source", SOURCE, "verify_jwt", false));
        call("POST", at + "/functions/deploy", Map.of("name", "hello", "source", SOURCE + "// changed"));
        bundleOfAManifest(project.get("ref").asText());
        callFunction(project);
        call("DELETE", at + "/functions/secrets/hello/WORD", null);
        call("DELETE", at + "/functions/hello", null);
        call("DELETE", at, null);
    }

    /** What GitOps applies is bundled, and its status says so. */
    private void bundleOfAManifest(String project) throws InterruptedException {
        var function = new EdgeFunction();
        function.setMetadata(new ObjectMetaBuilder()
                .withNamespace(PROJECTS)
                .withName("of-a-manifest")
                .build());
        function.setSpec(new EdgeFunctionSpec(
                new LocalReference(project), "of-a-manifest", SOURCE, null, null, null, null, null, null));
        EdgeFunction made = admin.resource(function).create();
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!isBundled(admin.resource(made).get())) {
            assertThat(System.nanoTime()).as("the bundle of a manifest").isLessThan(end);
            Thread.sleep(100);
        }
    }

    private static boolean isBundled(EdgeFunction function) {
        return function.getStatus() != null
                && function.getStatus().bundle() != null
                && function.getStatus().bundle().contentHash() != null;
    }

    /** Finds no process of a function that sleeps, starts one, and waits in vain. A busy data plane may answer 503 before that. */
    private void callFunction(JsonNode project) throws IOException, InterruptedException {
        Deployment function = asleep();
        String host = project.get("ref").asText() + ".localhost";
        long end = System.nanoTime() + LIMIT.toNanos();
        Answer answer;
        do {
            assertThat(System.nanoTime())
                    .as("the function is known and started")
                    .isLessThan(end);
            Thread.sleep(100);
            answer = svc.e2e.platform.ControlPlane.send(HttpRequest.newBuilder(data.address("/functions/v1/hello"))
                    .header("Host", host)
                    .header("apikey", project.get("anon_key").asText()));
        } while (answer.status() < 500
                || admin.resource(function).get().getSpec().getReplicas() != 1);
    }

    /** A function that has served, as no node would say, and has no process now. */
    private Deployment asleep() throws InterruptedException {
        EdgeFunction function = admin.resources(EdgeFunction.class).inNamespace(PROJECTS).list().getItems().stream()
                .filter(resource -> resource.getSpec().name().equals("hello"))
                .findFirst()
                .orElseThrow();
        var deployment = admin.apps()
                .deployments()
                .inNamespace(PROJECTS)
                .withName(FunctionObject.name(function.getMetadata().getName()));
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!admin.resource(function).get().isReady()) {
            assertThat(System.nanoTime()).as("the function has served").isLessThan(end);
            if (deployment.get() != null) {
                serve(deployment);
            }
            Thread.sleep(100);
        }
        deployment.scale(0);
        return deployment.get();
    }

    /** Unless the deployment changes meanwhile, by the operator or by Kubernetes' own controller. */
    private static void serve(Resource<Deployment> deployment) {
        try {
            deployment.editStatus(RightsOfThePlanesTest::serving);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }

    private static Deployment serving(Deployment deployment) {
        deployment.setStatus(new DeploymentStatusBuilder()
                .withObservedGeneration(deployment.getMetadata().getGeneration())
                .withReplicas(1)
                .withUpdatedReplicas(1)
                .withReadyReplicas(1)
                .build());
        return deployment;
    }

    private AuditedRequests audited(String plane) throws IOException {
        return AuditedRequests.read(kubernetes.auditLog(), SYSTEM, "svc-" + plane);
    }

    private void expectUsed(String plane) throws IOException, InterruptedException {
        Set<String> granted = GrantedRights.of(admin, GRANTS.resolve(plane + ".yaml"), role -> true);
        AuditedRequests audited = audited(plane);
        long end = System.nanoTime() + LIMIT.toNanos();
        // The server writes of a watch when it notices that its client has gone.
        while (!audited.used().containsAll(granted) && System.nanoTime() < end) {
            Thread.sleep(100);
            audited = audited(plane);
        }

        assertThat(audited.refused()).as("rights that %s lacks", plane).isEmpty();
        assertThat(audited.used()).as("rights that %s uses", plane).containsAll(granted);
    }

    private ApiServerProcess plane(
            String name, String role, Map<String, String> both, Map<String, String> own, Path folder)
            throws IOException, InterruptedException {
        var settings = new HashMap<>(both);
        settings.putAll(own);
        settings.put("svc.api.roles", role);
        settings.put("svc.api.keys.roots", secret(secretOf(name), "roots"));
        String account = "svc-" + name;
        String token = ServiceAccountToken.install(admin, GRANTS.resolve(name + ".yaml"), SYSTEM, account);
        var process = ApiServerProcess.start(kubernetes.configOf(token), settings, folder.resolve(name + ".log"));
        started.push(process);
        return process;
    }

    private Answer call(String method, String path, Object body) throws IOException {
        var sent = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(JSON.writeValueAsString(body));
        Answer answer = svc.e2e.platform.ControlPlane.send(HttpRequest.newBuilder(control.address(path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, sent));
        assertThat(answer.status()).as(answer.toString()).isBetween(200, 299);
        return answer;
    }

    private static String secretOf(String plane) {
        return "svc-" + plane + "-roots";
    }

    /** What the operator has made of the master key at its start. */
    private String secret(String name, String key) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            Secret found = admin.secrets().inNamespace(SYSTEM).withName(name).get();
            if (found != null) {
                return new String(Base64.getDecoder().decode(found.getData().get(key)), StandardCharsets.UTF_8);
            }
            assertThat(System.nanoTime()).as(name).isLessThan(end);
            Thread.sleep(100);
        }
    }
}

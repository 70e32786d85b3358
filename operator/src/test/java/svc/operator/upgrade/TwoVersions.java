package svc.operator.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.Operator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import svc.crds.CrdCatalog;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.embedded.kubernetes.Credentials;
import svc.embedded.process.Folders;
import svc.operator.assembly.OperatorAssembly;
import svc.operator.config.PlainOperatorConfig;
import svc.operator.installation.CrdInstallation;
import svc.operator.kubernetes.Labels;
import svc.operator.testing.RealCluster;
import svc.operator.testing.TestingCluster;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.TestingPostgres;

/** Kubernetes' own API server with the kinds in one version or two, and the operator of today, which knows one. */
final class TwoVersions implements AutoCloseable {
    private static final Map<String, String> KINDS =
            Map.of("projects", "Project", "edgefunctions", "EdgeFunction", "functionsecrets", "FunctionSecret");
    private static final Path MIGRATION = Path.of("..", "config", "storage-version.sh");
    private static final String TODAY = "v1alpha1";
    private static final String NEXT = "v1beta1";

    private final RealCluster cluster;
    private final KubernetesClient admin;
    private final KubernetesClient own;
    private final OperatorAssembly assembly;
    private final Operator operator;

    /** Empty where Kubernetes' own API server is not built. */
    static Optional<TwoVersions> start() {
        TestingCluster another = TestingCluster.another();
        if (another instanceof RealCluster real) {
            return Optional.of(new TwoVersions(real));
        }
        another.close();
        return Optional.empty();
    }

    private TwoVersions(RealCluster cluster) {
        this.cluster = cluster;
        this.admin = TestingCluster.connect(cluster.adminConfig());
        CrdInstallation.apply(admin);
        cluster.kindsInstalled(admin);
        this.own = TestingCluster.connect(cluster.operatorConfig());
        var config = PlainOperatorConfig.of(Map.of(
                "svc.master-keys.1.value", TestingPostgres.masterKeyText(),
                "svc.databases.main.jdbc-url", TestingPostgres.server().jdbcUrl(TestingPostgres.database()),
                "svc.databases.main.password", TestingPostgres.server().operatorPassword()));
        this.assembly = new OperatorAssembly(config, own, InstantSource.system(), observation -> {});
        this.operator = assembly.plainOperator();
        operator.start();
    }

    KubernetesClient admin() {
        return admin;
    }

    /** The definition with a second version of the same fields, one of them stored. */
    static CustomResourceDefinition both(CustomResourceDefinition definition, String stored) {
        CustomResourceDefinitionVersion today =
                definition.getSpec().getVersions().getFirst();
        CustomResourceDefinitionVersion next = Serialization.clone(today);
        next.setName(NEXT);
        next.setStorage(stored.equals(NEXT));
        today.setStorage(stored.equals(TODAY));
        definition.getSpec().setVersions(List.of(today, next));
        return definition;
    }

    /** The definition with one version alone. */
    static CustomResourceDefinition only(CustomResourceDefinition definition, String version) {
        both(definition, version);
        definition
                .getSpec()
                .setVersions(definition.getSpec().getVersions().stream()
                        .filter(one -> one.getName().equals(version))
                        .toList());
        return definition;
    }

    /** Applies the shipped definitions with a change, as the chart and the operator apply theirs. */
    void serve(UnaryOperator<CustomResourceDefinition> change) {
        CrdCatalog.load()
                .all()
                .forEach(shipped -> admin.resource(change.apply(shipped))
                        .patch(new PatchContext.Builder()
                                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                                .withFieldManager(Labels.OPERATOR)
                                .withForce(true)
                                .build()));
    }

    void create(HasMetadata object) {
        Awaitility.await("the version is served")
                .atMost(TestingOperator.LIMIT)
                .ignoreExceptionsInstanceOf(KubernetesClientException.class)
                .until(() -> admin.resource(object).create() != null);
    }

    void createFunctionOf(String project) {
        create(load(
                "EdgeFunction",
                "hello",
                "projectRef: {name: " + project + "}, name: hello, contentHash: 'sha256:" + "1".repeat(64) + "'"));
        create(load(
                "FunctionSecret",
                "word",
                "projectRef: {name: " + project + "}, functionName: hello, key: WORD,"
                        + " valueFrom: {secretKeyRef: {name: word, key: value}}"));
    }

    private GenericKubernetesResource load(String kind, String name, String spec) {
        return admin.getKubernetesSerialization()
                .unmarshal(
                        "apiVersion: svc.platform/" + TODAY + "\nkind: " + kind
                                + "\nmetadata: {namespace: default, name: " + name + "}\nspec: {" + spec + "}",
                        GenericKubernetesResource.class);
    }

    void edit(String project, UnaryOperator<ProjectSpec.Builder> change) {
        TestingOperator.retried(() -> admin.resources(Project.class)
                .inNamespace("default")
                .withName(project)
                .edit(found -> {
                    found.setSpec(change.apply(found.getSpec().toBuilder()).build());
                    return found;
                }));
    }

    Project ready(String name) {
        return Awaitility.await(name)
                .atMost(TestingOperator.LIMIT)
                .ignoreExceptionsInstanceOf(KubernetesClientException.class)
                .until(
                        () -> admin.resources(Project.class)
                                .inNamespace("default")
                                .withName(name)
                                .get(),
                        Project::isReady);
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> spec(String version, String project) {
        return (Map<String, Object>) admin.genericKubernetesResources("svc.platform/" + version, "Project")
                .inNamespace("default")
                .withName(project)
                .get()
                .getAdditionalProperties()
                .get("spec");
    }

    /** Spec and status of every object, by kind and name, read in that version. */
    Map<String, Object> contents(String version) {
        Map<String, Object> contents = new TreeMap<>();
        KINDS.values()
                .forEach(kind -> admin.genericKubernetesResources("svc.platform/" + version, kind)
                        .inNamespace("default")
                        .list()
                        .getItems()
                        .forEach(found -> contents.put(
                                kind + " " + found.getMetadata().getName(), found.getAdditionalProperties())));
        return contents;
    }

    /** Until nothing is written any more. */
    void awaitRest() {
        Awaitility.await("rest")
                .atMost(TestingOperator.LIMIT)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> rewritten() == 0);
    }

    /** Patches every object with nothing, and counts those whose bytes were written: of another stored version. */
    int rewritten() {
        int rewritten = 0;
        for (String kind : KINDS.values()) {
            var objects = admin.genericKubernetesResources("svc.platform/" + TODAY, kind)
                    .inNamespace("default");
            for (var found : objects.list().getItems()) {
                rewritten += isRewritten(kind, found.getMetadata().getName()) ? 1 : 0;
            }
        }
        return rewritten;
    }

    private boolean isRewritten(String kind, String name) {
        var object = admin.genericKubernetesResources("svc.platform/" + TODAY, kind)
                .inNamespace("default")
                .withName(name);
        String before = object.get().getMetadata().getResourceVersion();
        GenericKubernetesResource after = object.patch(PatchContext.of(PatchType.JSON_MERGE), "{}");
        return !after.getMetadata().getResourceVersion().equals(before);
    }

    /** Until the API server stores what the definitions say, which it does a moment after their change. */
    void awaitStored(String project) {
        Awaitility.await("the stored version")
                .atMost(TestingOperator.LIMIT)
                .until(() -> isRewritten("Project", project));
    }

    List<String> storedVersions() {
        return definition().getStatus().getStoredVersions();
    }

    List<String> servedVersions() {
        return definition().getSpec().getVersions().stream()
                .map(CustomResourceDefinitionVersion::getName)
                .toList();
    }

    private CustomResourceDefinition definition() {
        return admin.resources(CustomResourceDefinition.class)
                .withName("projects.svc.platform")
                .get();
    }

    /** Runs what an admin runs. */
    void migrate(String version) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("svc-migration-");
        try {
            Config config = cluster.adminConfig();
            Path access = new Credentials(
                            config.getMasterUrl(),
                            config.getOauthToken(),
                            new String(Base64.getDecoder().decode(config.getCaCertData()), StandardCharsets.US_ASCII))
                    .write(folder.resolve("kubeconfig"));
            var command = new ProcessBuilder(MIGRATION.toString(), version).redirectErrorStream(true);
            command.environment().put("KUBECONFIG", access.toString());
            command.environment().put("HOME", folder.toString());
            Process process = command.start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(printed).isZero();
        } finally {
            Folders.deleteRecursively(folder);
        }
    }

    @Override
    public void close() {
        operator.stop();
        assembly.close();
        own.close();
        admin.close();
        cluster.close();
    }
}

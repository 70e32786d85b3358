package svc.management.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import svc.crds.function.BundleStatus;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionSpec;
import svc.crds.function.SourceHash;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.crds.reference.LocalReference;
import svc.functions.artifact.Archive;
import svc.functions.artifact.ArtifactStore;
import svc.functions.artifact.ContentHash;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.function.FunctionCalls;

/** A function whose code is in its manifest is bundled, and its status reports the result. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class SourceBundlingTest {
    @Inject
    KubernetesClient kubernetes;

    @Inject
    ArtifactStore artifacts;

    private EdgeFunction apply(String namespace, String project, String source, Map<String, String> files) {
        EdgeFunction function = new EdgeFunction();
        function.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName("fn-" + UUID.randomUUID())
                .build());
        function.setSpec(new EdgeFunctionSpec(
                new LocalReference(project), "hello", source, files, null, null, null, null, null));
        return kubernetes.resource(function).create();
    }

    private EdgeFunction current(EdgeFunction function) {
        return kubernetes.resource(function).get();
    }

    private BundleStatus bundle(EdgeFunction function, Predicate<BundleStatus> until) {
        return kubernetes
                .resource(function)
                .waitUntilCondition(
                        seen -> seen != null
                                && seen.getStatus() != null
                                && seen.getStatus().bundle() != null
                                && until.test(seen.getStatus().bundle()),
                        60,
                        TimeUnit.SECONDS)
                .getStatus()
                .bundle();
    }

    @Test
    void aSourceBecomesAnArchive() {
        ProjectForTests project = ProjectForTests.create("gitops");

        EdgeFunction function = apply(
                TestingPlatform.NAMESPACE,
                project.ref(),
                "import { a } from '../_shared/a.ts'; export default () => new Response(a);",
                Map.of("_shared/a.ts", "export const a = 'from the manifest';"));

        BundleStatus bundle = bundle(function, seen -> seen.contentHash() != null);
        assertThat(bundle.sourceHash()).isEqualTo(SourceHash.of(function.getSpec()));
        assertThat(bundle.message()).isNull();
        Archive archive = Archive.read(artifacts
                .find(
                        project.identity().projectId(),
                        ContentHash.parse(bundle.contentHash()).orElseThrow())
                .orElseThrow());
        assertThat(archive.bundle()).contains("from the manifest");
        assertThat(current(function).getMetadata().getManagedFields())
                .anySatisfy(entry -> assertThat(entry.getManager()).isEqualTo("svc-bundler"));
    }

    @Test
    void aFaultOfTheCodeIsReportedWithItsPlaceAndGoesWithIt() {
        ProjectForTests project = ProjectForTests.create("fault");
        EdgeFunction function = apply(TestingPlatform.NAMESPACE, project.ref(), "export default (", Map.of());

        BundleStatus fault = bundle(function, seen -> seen.message() != null);
        assertThat(fault.message()).startsWith("index.ts:1:17: ");
        assertThat(fault.contentHash()).isNull();
        assertThat(fault.sourceHash()).isEqualTo(SourceHash.of(function.getSpec()));

        EdgeFunction changed = kubernetes
                .resources(EdgeFunction.class)
                .inNamespace(TestingPlatform.NAMESPACE)
                .withName(function.getMetadata().getName())
                .edit(current -> {
                    EdgeFunctionSpec spec = current.getSpec();
                    current.setSpec(new EdgeFunctionSpec(
                            spec.projectRef(),
                            spec.name(),
                            FunctionCalls.handler("x"),
                            null,
                            null,
                            null,
                            null,
                            null,
                            null));
                    return current;
                });
        BundleStatus good = bundle(changed, seen -> seen.contentHash() != null);
        assertThat(good.message()).isNull();
        assertThat(good.sourceHash()).isEqualTo(SourceHash.of(changed.getSpec()));
    }

    /** Its first start takes a second, so that a line is there. */
    @Test
    void aProjectWithManyManifestsDoesNotKeepAnotherWaiting() {
        ProjectForTests busy = ProjectForTests.create("manifests");
        ProjectForTests calm = ProjectForTests.create("one-manifest");
        String slow = "await new Promise((done) => setTimeout(done, 1000)); export default () => new Response('x');";
        List<EdgeFunction> many = IntStream.range(0, 10)
                .mapToObj(n -> apply(TestingPlatform.NAMESPACE, busy.ref(), slow + "//" + n, Map.of()))
                .toList();
        EdgeFunction one = apply(TestingPlatform.NAMESPACE, calm.ref(), FunctionCalls.handler("calm"), Map.of());

        bundle(one, seen -> seen.contentHash() != null);
        assertThat(many)
                .filteredOn(function -> current(function).getStatus() == null
                        || current(function).getStatus().bundle() == null)
                .hasSizeGreaterThanOrEqualTo(5);
        many.forEach(function -> kubernetes.resource(function).delete());
    }

    @Test
    void aFunctionWaitsForItsProject() throws InterruptedException {
        String namespace = "late-" + UUID.randomUUID().toString().substring(0, 8);
        kubernetes
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        EdgeFunction function = apply(namespace, "late", FunctionCalls.handler("x"), Map.of());
        Thread.sleep(Duration.ofMillis(300));
        assertThat(current(function).getStatus()).isNull();

        Project project = new Project();
        project.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName("late")
                .build());
        project.setSpec(ProjectSpec.named("late"));
        kubernetes.resource(project).create();

        assertThat(bundle(function, seen -> seen.contentHash() != null)).isNotNull();
    }

    @Test
    void aProjectOfAnotherNamespaceIsNotMeant() throws InterruptedException {
        ProjectForTests victim = ProjectForTests.create("victim");
        String namespace = "thief-" + UUID.randomUUID().toString().substring(0, 8);
        kubernetes
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();

        EdgeFunction function = apply(namespace, victim.ref(), FunctionCalls.handler("x"), Map.of());
        // A project that claims the victim's id and lost the claim: data under the id is not its own.
        Project claimant = new Project();
        claimant.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName("claimant")
                .build());
        claimant.setSpec(ProjectSpec.named("lost").toBuilder()
                .projectId(victim.identity().projectId().toString())
                .build());
        kubernetes.resource(claimant).create();
        EdgeFunction other = apply(namespace, "claimant", FunctionCalls.handler("y"), Map.of());

        Thread.sleep(Duration.ofMillis(1500));
        assertThat(current(function).getStatus()).isNull();
        assertThat(current(other).getStatus()).isNull();
    }

    @Test
    void aRegistryThatIsAwayIsTriedAgain() {
        ProjectForTests project = ProjectForTests.create("away");

        EdgeFunction function = apply(
                TestingPlatform.NAMESPACE, project.ref(), "import x from 'npm:zod'; export default () => x;", Map.of());

        BundleStatus status = bundle(function, seen -> seen.message() != null);
        assertThat(status.message()).contains("cannot be reached").endsWith("The platform retries.");
        // No source hash: the operator keeps waiting instead of reporting a failure.
        assertThat(status.sourceHash()).isNull();
    }
}

package svc.operator.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.operator.function.TestingFunctions.FIRST;
import static svc.operator.function.TestingFunctions.SECOND;
import static svc.operator.function.TestingFunctions.because;
import static svc.operator.function.TestingFunctions.condition;
import static svc.operator.function.TestingFunctions.withHash;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.function.EdgeFunction;
import svc.crds.function.FunctionVersion;
import svc.crds.function.ScaleSpec;
import svc.crds.function.SourceHash;
import svc.crds.project.Project;
import svc.operator.kubernetes.BoundedText;
import svc.operator.testing.TestingOperator;

/** From the hash of some code to processes that serve it, version after version. */
class FunctionRolloutTest {
    private static TestingOperator operator;
    private static TestingFunctions functions;
    private static Project project;

    @BeforeAll
    static void start() {
        operator = TestingOperator.prepared().start();
        functions = new TestingFunctions(operator);
        operator.create("shop");
        project = operator.ready("shop");
    }

    @AfterAll
    static void stop() {
        operator.close();
    }

    private static EdgeFunction serving(String resource, String name) {
        functions.create(resource, "shop", name, FIRST);
        functions.running(resource, FIRST);
        functions.started(resource);
        return functions.await(resource, EdgeFunction::isReady);
    }

    @Test
    void becomesReadyWhenItsProcessesServe() {
        EdgeFunction made = functions.create("ready", "shop", "My_Fn", FIRST);
        Deployment deployment = functions.running("ready", FIRST);
        assertThat(deployment.getSpec().getReplicas()).isEqualTo(1);
        functions.await("ready", because("RollingOut"));
        functions.started("ready");
        EdgeFunction ready = functions.await("ready", EdgeFunction::isReady);
        assertThat(condition(ready, "BundleReady").reason()).isEqualTo("Bundled");
        assertThat(condition(ready, "Available").reason()).isEqualTo("Serving");
        assertThat(ready.getStatus().url()).isEqualTo(project.getStatus().functionsUrl() + "/My_Fn");
        assertThat(ready.getStatus().version()).isEqualTo(1);
        assertThat(ready.getStatus().hash()).isEqualTo(FIRST);
        assertThat(ready.getStatus().replicas()).isEqualTo(1);
        assertThat(ready.getStatus().history())
                .singleElement()
                .returns(1L, FunctionVersion::version)
                .returns(FIRST, FunctionVersion::contentHash);
        operator.awaitEvent("ready", "Deployed");
        assertThat(deployment.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner ->
                        assertThat(owner.getUid()).isEqualTo(made.getMetadata().getUid()));
    }

    @Test
    void aProcessThatIsReplacedStillAnswersUntilTheGatewaysHaveHeardOfIt() {
        functions.create("leaving", "shop", "leaving", FIRST);
        var pod = functions.running("leaving", FIRST).getSpec().getTemplate().getSpec();
        var container = pod.getContainers().getFirst();
        long leaving = container.getLifecycle().getPreStop().getSleep().getSeconds();
        long drain = container.getEnv().stream()
                .filter(variable -> variable.getName().equals("SVC_RUNTIME_DRAIN_MS"))
                .mapToLong(variable -> Long.parseLong(variable.getValue()))
                .sum();

        assertThat(leaving).isPositive();
        assertThat(drain).isPositive();
        // It drains twice, requests first; the kill comes after all of it.
        assertThat(Duration.ofSeconds(leaving).plusMillis(2 * drain))
                .isLessThan(Duration.ofSeconds(pod.getTerminationGracePeriodSeconds()));
    }

    @Test
    void itsProcessIsConfinedAndGetsNoTokenOfTheCluster() {
        functions.create("confined", "shop", "confined", FIRST);
        var pod = functions.running("confined", FIRST).getSpec().getTemplate().getSpec();
        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getEnableServiceLinks()).isFalse();
        assertThat(pod.getServiceAccountName()).isNull();
        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        var container = pod.getContainers().getFirst();
        assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
        assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
        assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(container.getResources().getLimits()).containsKeys("cpu", "memory", "ephemeral-storage");
        assertThat(container.getEnv())
                .anySatisfy(variable -> {
                    assertThat(variable.getName()).isEqualTo("SVC_RUNTIME_BUNDLE");
                    assertThat(variable.getValue())
                            .isEqualTo(project.getStatus().url() + "/functions/v1/_runtime/archives/" + "1".repeat(64));
                })
                // Values of the environment are in the Secret and nowhere else.
                .noneSatisfy(variable -> assertThat(variable.getName()).contains("KEY"));
        NetworkPolicy policy = operator.client()
                .network()
                .v1()
                .networkPolicies()
                .inNamespace(operator.namespace())
                .withName("fn-confined")
                .get();
        assertThat(policy.getSpec().getPolicyTypes()).containsExactly("Ingress", "Egress");
        assertThat(policy.getSpec().getIngress()).hasSize(1);
        assertThat(policy.getSpec().getEgress().stream()
                        .flatMap(rule -> rule.getTo().stream())
                        .filter(peer -> peer.getIpBlock() != null)
                        .flatMap(peer -> peer.getIpBlock().getExcept().stream()))
                .contains("10.0.0.0/8", "169.254.0.0/16", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
                .contains("0.0.0.0/8", "100.64.0.0/10", "198.18.0.0/15", "224.0.0.0/3");
        // Loopback, link-local and private addresses of version 6 are not in what is open.
        assertThat(policy.getSpec().getEgress().stream()
                        .flatMap(rule -> rule.getTo().stream())
                        .filter(peer -> peer.getIpBlock() != null)
                        .map(peer -> peer.getIpBlock().getCidr()))
                .containsExactly("0.0.0.0/0", "2000::/3");
    }

    @Test
    void seesItsProjectUnderBothPrefixes() {
        functions.create("env", "shop", "env", FIRST);
        functions.running("env", FIRST);
        Map<String, String> variables = functions.environment("env");
        assertThat(variables)
                .containsEntry("SVC_URL", project.getStatus().url())
                .containsEntry("SUPABASE_URL", project.getStatus().url())
                .containsEntry("SVC_ANON_KEY", project.getStatus().anonKey())
                .containsEntry("SUPABASE_ANON_KEY", project.getStatus().anonKey())
                .containsEntry("SVC_DB_SCHEMA", project.getStatus().schema())
                .containsEntry("SUPABASE_DB_SCHEMA", project.getStatus().schema())
                .containsEntry("SVC_PROJECT_REF", project.getStatus().ref())
                .containsEntry("SUPABASE_PROJECT_REF", project.getStatus().ref())
                .hasEntrySatisfying(
                        "SVC_SERVICE_ROLE_KEY",
                        key -> assertThat(key)
                                .startsWith("svc_service_")
                                .isEqualTo(variables.get("SUPABASE_SERVICE_ROLE_KEY")))
                .containsEntry(
                        "SUPABASE_PUBLISHABLE_KEYS",
                        "{\"default\":\"" + project.getStatus().anonKey() + "\"}")
                .containsEntry(
                        "SUPABASE_SECRET_KEYS", "{\"default\":\"" + variables.get("SVC_SERVICE_ROLE_KEY") + "\"}")
                .containsEntry("SUPABASE_JWKS_URL", project.getStatus().url() + "/auth/v1/.well-known/jwks.json")
                .hasEntrySatisfying(
                        "SVC_RUNTIME_TOKEN", token -> assertThat(token).startsWith("svc_fnrt_"))
                .hasSize(14);
    }

    @Test
    void anotherHashIsAnotherVersionAndTheOldOneServesUntilThen() {
        serving("next", "next");
        functions.edit("next", spec -> withHash(spec, SECOND));
        Deployment deployment = functions.running("next", SECOND);
        EdgeFunction rolling = functions.await("next", because("RollingOut"));
        assertThat(rolling.getStatus().hash()).isEqualTo(FIRST);
        // One of the old version serves still.
        functions.status(deployment, 1, 2);
        functions.await("next", because("RollingOut"));
        functions.started("next");
        EdgeFunction ready = functions.await("next", EdgeFunction::isReady);
        assertThat(ready.getStatus().version()).isEqualTo(2);
        assertThat(ready.getStatus().history())
                .extracting(FunctionVersion::contentHash)
                .containsExactly(SECOND, FIRST);

        functions.edit("next", spec -> withHash(spec, FIRST));
        functions.running("next", FIRST);
        functions.started("next");
        EdgeFunction back = functions.await(
                "next", function -> function.isReady() && function.getStatus().version() == 3);
        assertThat(back.getStatus().history())
                .extracting(FunctionVersion::version)
                .containsExactly(3L, 2L, 1L);
    }

    @Test
    void whoScalesIsNotOverruledButForTheBounds() {
        functions.create("scaled", TestingFunctions.scaled("shop", "scaled", new ScaleSpec(0, 3, 10)));
        functions.running("scaled", FIRST);
        functions.started("scaled");
        functions.await("scaled", EdgeFunction::isReady);
        scale("scaled", 0);
        functions.started("scaled");
        EdgeFunction idle = functions.await(
                "scaled",
                // It is idle as soon as no process is wanted; the last one may still be going.
                function -> "Idle".equals(condition(function, "Available").reason())
                        && function.getStatus().replicas() == 0);
        assertThat(idle.isReady()).isTrue();
        // A change of the environment is for the next process; none is started for it.
        functions.value("scaled-value", "v", Map.of());
        functions.secret("scaled-secret", "shop", "scaled", "WORD", "scaled-value");
        functions.deployment(
                "scaled", found -> "v".equals(functions.environment("scaled").get("WORD")));
        assertThat(functions.deployment("scaled", found -> true).getSpec().getReplicas())
                .isZero();
        scale("scaled", 2);
        functions.await(
                "scaled",
                function -> "Starting".equals(condition(function, "Available").reason()));
        functions.edit("scaled", spec -> withHash(spec, SECOND));
        assertThat(functions.running("scaled", SECOND).getSpec().getReplicas()).isEqualTo(2);
        scale("scaled", 9);
        functions.deployment("scaled", found -> found.getSpec().getReplicas() == 3);
        functions.edit("scaled", spec -> TestingFunctions.scaled("shop", "scaled", new ScaleSpec(5, 3, 10)));
        functions.deployment("scaled", found -> found.getSpec().getReplicas() == 5);
    }

    @Test
    void whoScaledSinceTheOperatorLookedIsNotOverruled() {
        EdgeFunction function = serving("passed", "passed");
        Deployment seen = functions.deployment("passed", found -> true);
        seen.getSpec().setReplicas(0);
        scale("passed", 2);
        // By what was seen, a version that has not served would be started once.
        new FunctionSteps(operator.client()).scale(function, Optional.of(seen), true, false);
        assertThat(functions.deployment("passed", found -> true).getSpec().getReplicas())
                .isEqualTo(2);
    }

    private static void scale(String resource, int replicas) {
        TestingOperator.retried(() -> operator.client()
                .apps()
                .deployments()
                .inNamespace(operator.namespace())
                .withName("fn-" + resource)
                .edit(found -> {
                    found.getSpec().setReplicas(replicas);
                    return found;
                }));
    }

    @Test
    void waitsForTheBundleOfItsSourceAndTellsWhatIsWrongWithIt() {
        var spec = TestingFunctions.source("shop", "inline", "export default () => new Response('1')");
        functions.create("inline", spec);
        EdgeFunction pending = functions.await("inline", because("BundlePending"));
        // Not False: tools such as Argo CD would take it for a failure.
        assertThat(condition(pending, "BundleReady").status()).isEqualTo(ConditionStatus.UNKNOWN);
        assertThat(condition(pending, "Ready").status()).isEqualTo(ConditionStatus.UNKNOWN);
        functions.bundled("inline", SourceHash.of(spec), null, "index.ts:1:7: unexpected token");
        EdgeFunction failed = functions.await("inline", because("BundleFailed"));
        assertThat(condition(failed, "BundleReady").message()).isEqualTo("index.ts:1:7: unexpected token");
        assertThat(condition(failed, "Stalled").reason()).isEqualTo("BundleFailed");
        functions.bundled("inline", SourceHash.of(spec), FIRST, null);
        functions.running("inline", FIRST);
        functions.started("inline");
        EdgeFunction ready = functions.await("inline", EdgeFunction::isReady);
        assertThat(ready.getStatus().bundle().contentHash()).isEqualTo(FIRST);
        assertThat(ready.getStatus().conditions())
                .noneMatch(found -> found.type().equals("Stalled"));
        // The next source is not bundled yet: what the bundler said is of another one, and the old code serves on.
        functions.edit("inline", old -> TestingFunctions.source("shop", "inline", "export default 2"));
        functions.await("inline", because("BundlePending"));
        assertThat(functions.running("inline", FIRST).getSpec().getReplicas()).isEqualTo(1);
    }

    @Test
    void aLongErrorOfTheBundlerIsCut() {
        var spec = TestingFunctions.source("shop", "long", "export default 1");
        functions.create("long", spec);
        functions.bundled("long", SourceHash.of(spec), null, "€".repeat(8_000));

        EdgeFunction failed = functions.await("long", because("BundleFailed"));

        assertThat(failed.getStatus().conditions())
                .extracting(condition -> condition.message().getBytes(StandardCharsets.UTF_8).length)
                .allSatisfy(length -> assertThat(length).isLessThanOrEqualTo(BoundedText.MAX_MESSAGE_BYTES));
        operator.awaitEvent("long", "BundleFailed");
        assertThat(operator.client()
                        .v1()
                        .events()
                        .inNamespace(operator.namespace())
                        .list()
                        .getItems())
                .filteredOn(event -> event.getReason().equals("BundleFailed")
                        && event.getInvolvedObject().getName().equals("long"))
                .extracting(event -> event.getMessage().getBytes(StandardCharsets.UTF_8).length)
                .allSatisfy(length -> assertThat(length).isLessThanOrEqualTo(BoundedText.MAX_EVENT_BYTES));
    }

    @Test
    void saysWhyProcessesDoNotComeUp() {
        functions.create("broken", "shop", "broken", FIRST);
        Deployment deployment = functions.running("broken", FIRST);
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(operator.namespace())
                .withName("fn-broken-0")
                .withLabels(Map.of("svc.platform/function", "fn-broken"))
                .withAnnotations(Map.of("svc.platform/bundle-hash", FIRST))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("function")
                .withImage("svc/function-runtime:0.1.0")
                .endContainer()
                .endSpec()
                .build();
        operator.client().resource(pod).create();
        operator.client()
                .resource(pod)
                .editStatus(found -> new PodBuilder(found)
                        .editOrNewStatus()
                        .withContainerStatuses(List.of(new ContainerStatusBuilder()
                                .withName("function")
                                .withReady(false)
                                .withRestartCount(4)
                                .withNewLastState()
                                .withNewTerminated()
                                .withExitCode(137)
                                .withReason("OOMKilled")
                                .endTerminated()
                                .endLastState()
                                .build()))
                        .endStatus()
                        .build());
        functions.status(deployment, 1, 0);
        EdgeFunction broken = functions.await("broken", because("DoesNotStart"));
        assertThat(condition(broken, "Available").message()).contains("exit code 137, OOMKilled");
        operator.awaitEvent("broken", "DoesNotStart");
    }

    @Test
    void whatIsRemovedByHandComesBack() {
        serving("drift", "drift");
        operator.client()
                .network()
                .v1()
                .networkPolicies()
                .inNamespace(operator.namespace())
                .withName("fn-drift")
                .delete();
        operator.client()
                .services()
                .inNamespace(operator.namespace())
                .withName("fn-drift")
                .delete();
        await().atMost(TestingOperator.LIMIT)
                .until(() -> operator.client()
                                        .services()
                                        .inNamespace(operator.namespace())
                                        .withName("fn-drift")
                                        .get()
                                != null
                        && operator.client()
                                        .network()
                                        .v1()
                                        .networkPolicies()
                                        .inNamespace(operator.namespace())
                                        .withName("fn-drift")
                                        .get()
                                != null);
    }

    @Test
    void goesWithItsResource() {
        serving("gone", "gone");
        functions.delete("gone");
        await().atMost(TestingOperator.LIMIT)
                .until(() -> operator.client()
                                        .apps()
                                        .deployments()
                                        .inNamespace(operator.namespace())
                                        .withName("fn-gone")
                                        .get()
                                == null
                        && functions.environment("gone").isEmpty());
    }

    @Test
    void inOrderItCostsNoWrite() {
        serving("calm", "calm");
        Deployment before = functions.running("calm", FIRST);

        // The next look may not have heard of its status yet, and says it again.
        await().atMost(TestingOperator.LIMIT).until(FunctionRolloutTest::keepsItsStatus);

        assertThat(functions.running("calm", FIRST).getMetadata().getResourceVersion())
                .isEqualTo(before.getMetadata().getResourceVersion());
    }

    /** For two drift intervals of this operator. */
    private static boolean keepsItsStatus() throws InterruptedException {
        String status = statusVersion();
        Thread.sleep(2_200);
        return statusVersion().equals(status);
    }

    private static String statusVersion() {
        return functions.await("calm", EdgeFunction::isReady).getMetadata().getResourceVersion();
    }
}

package svc.operator.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.operator.function.TestingFunctions.FIRST;
import static svc.operator.function.TestingFunctions.annotation;
import static svc.operator.function.TestingFunctions.secretBecause;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.function.EdgeFunction;
import svc.crds.secret.FunctionSecret;
import svc.operator.function.TestingFunctions;
import svc.operator.testing.TestingOperator;

/** Promise: the value of a Secret reaches its function and no other; a condition reports an invalid value. */
class FunctionSecretTest {
    private static final String ENVIRONMENT = "svc.platform/env-hash";

    private static TestingOperator operator;
    private static TestingFunctions functions;

    @BeforeAll
    static void start() {
        operator = TestingOperator.prepared().start();
        functions = new TestingFunctions(operator);
        operator.create("shop");
        operator.ready("shop");
        operator.create("other");
        operator.ready("other");
    }

    @AfterAll
    static void stop() {
        operator.close();
    }

    private static void serving(String resource) {
        functions.create(resource, "shop", resource, FIRST);
        functions.running(resource, FIRST);
        functions.started(resource);
        functions.await(resource, EdgeFunction::isReady);
    }

    private static void awaitVariable(String resource, String variable, String value) {
        await(variable)
                .atMost(TestingOperator.LIMIT)
                .until(() ->
                        java.util.Objects.equals(functions.environment(resource).get(variable), value));
    }

    @Test
    void aChangedValueRollsTheFunction() {
        serving("rolls");
        String before = annotation(functions.running("rolls", FIRST), ENVIRONMENT);
        functions.value("rolls-value", "one", Map.of());
        functions.secret("rolls-secret", "shop", "rolls", "WORD", "rolls-value");
        awaitVariable("rolls", "WORD", "one");
        // Not under its own name: that could be one which the container's linker listens to.
        assertThat(operator.client()
                        .secrets()
                        .inNamespace(operator.namespace())
                        .withName("fn-rolls-env")
                        .get()
                        .getData())
                .containsKey("SVC_RUNTIME_ENV_WORD")
                .doesNotContainKey("WORD");
        String after = annotation(
                functions.deployment(
                        "rolls", found -> !annotation(found, ENVIRONMENT).equals(before)),
                ENVIRONMENT);
        functions.started("rolls");
        FunctionSecret applied = functions.awaitSecret("rolls-secret", FunctionSecret::isReady);
        assertThat(applied).matches(secretBecause("Applied", "ValueApplied"));
        assertThat(applied.getStatus().digest()).startsWith("hmac:");
        assertThat(applied.getStatus().toString()).doesNotContain("one");

        functions.value("rolls-value", "two", Map.of());
        awaitVariable("rolls", "WORD", "two");
        functions.deployment("rolls", found -> !annotation(found, ENVIRONMENT).equals(after));
        FunctionSecret rolling = functions.awaitSecret(
                "rolls-secret",
                secret ->
                        !applied.getStatus().digest().equals(secret.getStatus().digest()));
        assertThat(rolling.getStatus().digest()).startsWith("hmac:");
        // The code is the same: no new version.
        assertThat(functions.await("rolls", function -> true).getStatus().version())
                .isEqualTo(1);

        operator.client().resource(applied).delete();
        awaitVariable("rolls", "WORD", null);
    }

    @Test
    void aMissingSecretOrKeyIsAConditionAndTheValueOfBeforeStays() {
        serving("missing");
        functions.secret("missing-secret", "shop", "missing", "WORD", "missing-value");
        assertThat(functions.awaitSecret("missing-secret", secretBecause("ValueFound", "SecretMissing")))
                .matches(secretBecause("Applied", "NoValue"));
        functions.value("missing-value", "here", Map.of());
        awaitVariable("missing", "WORD", "here");
        functions.awaitSecret("missing-secret", secretBecause("ValueFound", "Found"));
        operator.client()
                .secrets()
                .inNamespace(operator.namespace())
                .withName("missing-value")
                .delete();
        functions.awaitSecret("missing-secret", secretBecause("ValueFound", "SecretMissing"));
        operator.awaitEvent("missing-secret", "SecretMissing");
        assertThat(functions.environment("missing")).containsEntry("WORD", "here");
    }

    @Test
    void theOlderOfTwoSetsTheVariable() {
        serving("both");
        functions.value("both-1", "one", Map.of());
        functions.value("both-2", "two", Map.of());
        functions.secret("zz-both", "shop", "both", "WORD", "both-1");
        functions.awaitSecret("zz-both", secretBecause("ValueFound", "Found"));
        functions.secret("aa-both", "shop", "both", "WORD", "both-2");
        functions.awaitSecret("aa-both", secretBecause("ValueFound", "Conflict"));
        awaitVariable("both", "WORD", "one");
        operator.client()
                .resources(FunctionSecret.class)
                .inNamespace(operator.namespace())
                .withName("zz-both")
                .delete();
        awaitVariable("both", "WORD", "two");
    }

    @Test
    void oneWithoutAFunctionReachesAllFunctionsOfItsProject() {
        serving("all-one");
        serving("all-two");
        functions.create("all-stranger", "other", "stranger", FIRST);
        functions.running("all-stranger", FIRST);
        functions.value("all-own", "own", Map.of());
        functions.value("all-shared", "shared", Map.of());
        functions.secret("all-own", "shop", "all-one", "EVERYWHERE", "all-own");
        awaitVariable("all-one", "EVERYWHERE", "own");

        FunctionSecret shared = functions.secret("all-shared", "shop", null, "EVERYWHERE", "all-shared");

        awaitVariable("all-two", "EVERYWHERE", "shared");
        functions.awaitSecret("all-shared", secretBecause("ValueFound", "Found"));
        assertThat(functions.environment("all-one")).containsEntry("EVERYWHERE", "own");
        assertThat(functions.environment("all-stranger")).doesNotContainKey("EVERYWHERE");
        functions.started("all-two");
        functions.value("all-shared", "changed", Map.of());
        awaitVariable("all-two", "EVERYWHERE", "changed");

        operator.client()
                .resources(FunctionSecret.class)
                .inNamespace(operator.namespace())
                .withName("all-own")
                .delete();
        awaitVariable("all-one", "EVERYWHERE", "changed");
        operator.client().resource(shared).delete();
        awaitVariable("all-one", "EVERYWHERE", null);
        awaitVariable("all-two", "EVERYWHERE", null);
    }

    @Test
    void secretsOfThePlatformAndOfOtherProjectsAreOutOfReach() {
        serving("spy");
        functions.create("victim", "other", "victim", FIRST);
        functions.running("victim", FIRST);
        String ref = operator.get("other").getStatus().ref();
        functions.value("others-value", "precious", Map.of("svc.platform/ref", ref));
        functions.secret("spy-1", "shop", "spy", "STOLEN_A", "fn-victim-env");
        functions.secret("spy-2", "shop", "spy", "STOLEN_B", "others-value");
        functions.awaitSecret("spy-1", secretBecause("ValueFound", "SecretNotAllowed"));
        functions.awaitSecret("spy-2", secretBecause("ValueFound", "SecretNotAllowed"));
        assertThat(functions.environment("spy")).doesNotContainKeys("STOLEN_A", "STOLEN_B");
        // The name of another project's function does not bring a variable there either.
        functions.value("mine", "mine", Map.of());
        functions.secret("spy-3", "shop", "victim", "PLANTED", "mine");
        functions.awaitSecret("spy-3", secretBecause("Applied", "FunctionNotFound"));
        assertThat(functions.environment("victim")).doesNotContainKey("PLANTED");
    }

    @Test
    void aValueThatIsNoTextIsRefused() {
        serving("binary");
        functions.value("binary-value", "zero\0byte", Map.of());
        functions.secret("binary-secret", "shop", "binary", "WORD", "binary-value");
        functions.awaitSecret("binary-secret", secretBecause("ValueFound", "ValueInvalid"));
        assertThat(functions.environment("binary")).doesNotContainKey("WORD");
    }
}

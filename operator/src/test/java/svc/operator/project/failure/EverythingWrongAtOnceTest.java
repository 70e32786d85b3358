package svc.operator.project.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.operator.testing.TestingOperator.condition;
import static svc.operator.testing.TestingOperator.has;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.auth.AuthSpec;
import svc.operator.function.TestingFunctions;
import svc.operator.testing.TestingOperator;

/**
 * Promise: of a manifest in which everything is wrong the conditions name one cause after the other, each with what to do, and
 * each correction brings the next one. Secrets that come, change and vanish meanwhile stop nothing that worked.
 */
class EverythingWrongAtOnceTest {
    private static final String AUTH = """
            {"jwt": {"verifyKeys": [
                {"name": "legacy", "type": "HS256", "secretKeyRef": {"name": "legacy", "key": "value"}}]},
             "captcha": {"provider": "Turnstile", "secretKeyRef": {"name": "captcha", "key": "value"}}}""";

    private static TestingOperator operator;
    private static TestingFunctions functions;

    @BeforeAll
    static void start() {
        operator = TestingOperator.prepared().start();
        functions = new TestingFunctions(operator);
    }

    @AfterAll
    static void stop() {
        operator.close();
    }

    @Test
    void oneCauseAfterTheOther() {
        secret("taken", "of somebody else");
        secret("legacy", "short");
        operator.create("shop", spec -> spec.keysSecret("taken").auth(Serialization.unmarshal(AUTH, AuthSpec.class)));

        awaitKeys("SecretNotOwned", "set another name in spec.keysSecret");
        operator.edit("shop", spec -> spec.keysSecret("keys"));
        awaitKeys("VerifyKeyMissing", "use a longer one");
        delete("legacy");
        awaitKeys("VerifyKeyMissing", "does not exist: create it");
        secret("legacy", "a-secret-of-more-than-32-bytes-for-tokens");
        awaitKeys("AuthSecretMissing", "captcha");
        secret("captcha", "value");
        Project ready = operator.ready("shop");

        delete("captcha");
        delete("legacy");
        delete("keys");
        operator.annotate("shop", "example.com/look", "again");
        awaitKeys("VerifyKeyMissing", "does not exist: create it");
        assertThat(operator.get("shop").getStatus().authSecrets())
                .isEqualTo(ready.getStatus().authSecrets());
        assertThat(operator.get("shop").getStatus().verifyKeys())
                .isEqualTo(ready.getStatus().verifyKeys());
        assertThat(operator.get("shop").getStatus().anonKey())
                .isEqualTo(ready.getStatus().anonKey());
        secret("legacy", "a-secret-of-more-than-32-bytes-for-tokens");
        secret("captcha", "value");
        operator.ready("shop");
        assertThat(operator.client()
                        .secrets()
                        .inNamespace(operator.namespace())
                        .withName("keys")
                        .get())
                .isNotNull();
        assertThat(operator.events("shop")).doesNotContain("InternalError", "KubernetesFailed");
    }

    @Test
    void valuesOfAFunctionThatComeChangeAndVanishAtEachStep() {
        operator.create("lively");
        operator.ready("lively");
        functions.secret("lively", "lively", "hello", "WORD", "lively-value");
        functions.awaitSecret("lively", TestingFunctions.secretBecause("ValueFound", "SecretMissing"));
        functions.value("lively-value", "first", Map.of());
        functions.create("lively", "lively", "hello", TestingFunctions.FIRST);
        functions.deployment(
                "lively",
                found -> "first".equals(functions.environment("lively").get("WORD")));
        for (int i = 0; i < 20; i++) {
            delete("lively-value");
            functions.value("lively-value", "value " + i, Map.of());
        }
        functions.deployment(
                "lively",
                found -> "value 19".equals(functions.environment("lively").get("WORD")));

        functions.served("lively");

        assertThat(operator.events("lively")).doesNotContain("InternalError", "KubernetesFailed");
    }

    private static void awaitKeys(String reason, String message) {
        Project project = operator.await(
                "shop",
                found -> has(ProjectCondition.KEYS_READY, ConditionStatus.FALSE, reason)
                                .test(found)
                        && condition(found, ProjectCondition.KEYS_READY)
                                .message()
                                .contains(message));
        assertThat(project.getStatus().anonKey()).isNotNull();
    }

    private static void secret(String name, String value) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace(operator.namespace())
                .withName(name)
                .endMetadata()
                .addToStringData("value", value)
                .build();
        operator.client().resource(secret).serverSideApply();
    }

    private static void delete(String name) {
        operator.client()
                .secrets()
                .inNamespace(operator.namespace())
                .withName(name)
                .delete();
    }
}

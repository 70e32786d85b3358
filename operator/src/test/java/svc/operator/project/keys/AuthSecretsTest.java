package svc.operator.project.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.operator.testing.TestingOperator.has;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.ActiveSecret;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.auth.AuthSpec;
import svc.crds.project.service.StorageSpec;
import svc.crds.project.service.StorageWebhookSpec;
import svc.crds.reference.SecretKeyReference;
import svc.operator.testing.TestingApi;
import svc.operator.testing.TestingOperator;

/** Values that {@code spec.auth} names by reference reach the data plane sealed, and only from the project's namespace. */
class AuthSecretsTest {
    private static final String SETTINGS = """
            {"captcha": {"provider": "Turnstile", "secretKeyRef": {"name": "%1$s", "key": "secret"}},
             "providers": [{"name": "github", "type": "GitHub", "clientId": "x",
                            "clientSecretRef": {"name": "%2$s", "key": "secret"}}]}""";

    private static TestingOperator operator;

    private final String shop = TestingApi.name("shop");
    private final String captcha = TestingApi.name("captcha");
    private final String github = TestingApi.name("github");
    private final String hooks = TestingApi.name("hooks");

    @BeforeAll
    static void start() {
        operator = TestingOperator.prepared().start();
    }

    @AfterAll
    static void stop() {
        operator.close();
    }

    /** Otherwise the operator would go on reconciling it. */
    @AfterEach
    void deleteProject() {
        operator.at(shop).delete();
    }

    @Test
    void theyAreInTheStatusSealedAndOneThatIsMissingIsSaidAndComesByItself() {
        secret(captcha, "the-captcha-secret");
        operator.create(shop, spec -> spec.auth(settings()));

        Project waiting =
                operator.await(shop, has(ProjectCondition.KEYS_READY, ConditionStatus.FALSE, "AuthSecretMissing"));
        assertThat(waiting.getStatus().authSecrets())
                .extracting(ActiveSecret::name)
                .containsExactly(captcha);

        secret(github, "the-client-secret");
        Project converged = operator.ready(shop);
        assertThat(converged.getStatus().authSecrets())
                .extracting(ActiveSecret::name)
                .containsExactly(captcha, github);
        assertThat(Serialization.asJson(converged)).doesNotContain("the-captcha-secret", "the-client-secret");
    }

    @Test
    void aSecretThatIsRemovedStopsNothingThatWorked() {
        secret(captcha, "one");
        secret(github, "two");
        operator.create(shop, spec -> spec.auth(settings()));
        Project before = operator.ready(shop);

        operator.client()
                .secrets()
                .inNamespace(operator.namespace())
                .withName(github)
                .delete();
        operator.edit(shop, spec -> spec.deletionPolicy(svc.crds.project.DeletionPolicy.DELETE));

        Project after =
                operator.await(shop, has(ProjectCondition.KEYS_READY, ConditionStatus.FALSE, "AuthSecretMissing"));
        assertThat(after.getStatus().authSecrets()).isEqualTo(before.getStatus().authSecrets());
    }

    @Test
    void secretsOfWebhooksOfStorageAreSealedToo() {
        secret(hooks, "v1,whsec_c2VjcmV0");
        var webhook = new StorageWebhookSpec(
                "all", "https://hooks.example/", null, null, null, new SecretKeyReference(hooks, "secret"));
        operator.create(shop, spec -> spec.storage(StorageSpec.defaults().withWebhooks(List.of(webhook))));
        Project converged = operator.ready(shop);
        assertThat(converged.getStatus().authSecrets())
                .extracting(ActiveSecret::name)
                .containsExactly(hooks);
        assertThat(Serialization.asJson(converged)).doesNotContain("whsec_");
    }

    /** All of them are in the status, which the API takes as a whole or not at all. */
    @Test
    void theirLengthTogetherIsBounded() {
        String providers = IntStream.range(0, 14)
                .mapToObj(number -> {
                    secret(hooks + "-" + number, "x".repeat(16_384));
                    return "{\"name\": \"p" + number + "\", \"type\": \"Oidc\", \"issuer\": \"https://id.example\","
                            + " \"clientId\": \"x\", \"clientSecretRef\": {\"name\": \"" + hooks + "-" + number
                            + "\", \"key\": \"secret\"}}";
                })
                .collect(Collectors.joining(","));
        operator.create(
                shop,
                spec -> spec.auth(Serialization.unmarshal("{\"providers\": [" + providers + "]}", AuthSpec.class)));

        Project waiting =
                operator.await(shop, has(ProjectCondition.KEYS_READY, ConditionStatus.FALSE, "AuthSecretMissing"));

        assertThat(TestingOperator.condition(waiting, ProjectCondition.KEYS_READY)
                        .message())
                .contains("longer than " + AuthSecrets.MAX_SEALED_CHARS, "shorten them");
        assertThat(waiting.getStatus().authSecrets().stream()
                        .mapToInt(value -> value.sealed().length())
                        .sum())
                .isPositive()
                .isLessThanOrEqualTo(AuthSecrets.MAX_SEALED_CHARS);
    }

    private AuthSpec settings() {
        return Serialization.unmarshal(SETTINGS.formatted(captcha, github), AuthSpec.class);
    }

    private void secret(String name, String value) {
        operator.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(operator.namespace())
                        .withName(name)
                        .endMetadata()
                        .addToStringData("secret", value)
                        .build())
                .create();
    }
}

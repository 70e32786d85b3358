package svc.operator.project.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.operator.testing.TestingOperator.has;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.operator.testing.TestingApi;
import svc.operator.testing.TestingOperator;

/** {@code spec.keysSecret}: written, kept, moved, and never over a Secret of another owner. */
class KeysSecretTest {
    private static TestingOperator operator;

    private final String shop = TestingApi.name("shop");
    private final String keys = shop + "-keys";

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
    void itHoldsWhatAProgramNeeds() {
        operator.create(shop, spec -> spec.keysSecret(keys));

        Project project = operator.ready(shop);

        Secret secret = secret(keys);
        assertThat(text(secret, "SVC_ANON_KEY")).isEqualTo(project.getStatus().anonKey());
        assertThat(text(secret, "SVC_SERVICE_ROLE_KEY")).startsWith("svc_service_");
        assertThat(text(secret, "SVC_URL")).isEqualTo(project.getStatus().url());
        assertThat(text(secret, "SVC_DB_SCHEMA")).isEqualTo(project.getStatus().schema());
        assertThat(text(secret, "SVC_PROJECT_REF"))
                .isEqualTo(project.getStatus().ref());
        assertThat(secret.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getUid())
                        .isEqualTo(project.getMetadata().getUid()));
        assertThat(project.getStatus().secretName()).isEqualTo(keys);
    }

    @Test
    void removedByHandItComesBack() {
        operator.create(shop, spec -> spec.keysSecret(keys));
        operator.ready(shop);
        String uid = secret(keys).getMetadata().getUid();

        delete(keys);

        await().atMost(TestingOperator.LIMIT)
                .until(() -> secret(keys) != null
                        && !secret(keys).getMetadata().getUid().equals(uid));
    }

    @Test
    void alteredByHandItComesBack() {
        operator.create(shop, spec -> spec.keysSecret(keys));
        Project project = operator.ready(shop);

        operator.client()
                .resource(secret(keys))
                .edit(secret -> new SecretBuilder(secret)
                        .addToData("SVC_ANON_KEY", "bm90IGEga2V5")
                        .build());

        await().atMost(TestingOperator.LIMIT)
                .until(() -> text(secret(keys), "SVC_ANON_KEY")
                        .equals(project.getStatus().anonKey()));
    }

    @Test
    void renamedTheOldOneIsRemoved() {
        operator.create(shop, spec -> spec.keysSecret("old-keys"));
        operator.ready(shop);

        operator.edit(shop, spec -> spec.keysSecret("new-keys"));

        await().atMost(TestingOperator.LIMIT).until(() -> secret("new-keys") != null && secret("old-keys") == null);
    }

    @Test
    void aSecretOfAnotherOwnerIsLeftAlone() {
        operator.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(operator.namespace())
                        .withName("precious")
                        .endMetadata()
                        .withData(Map.of("only", "Y29weQ=="))
                        .build())
                .create();
        operator.create(shop, spec -> spec.keysSecret("precious"));

        Project project =
                operator.await(shop, has(ProjectCondition.KEYS_READY, ConditionStatus.FALSE, "SecretNotOwned"));

        assertThat(secret("precious").getData()).isEqualTo(Map.of("only", "Y29weQ=="));
        assertThat(project.isFailed()).isTrue();
        delete("precious");
        operator.ready(shop);
        assertThat(text(secret("precious"), "SVC_ANON_KEY")).startsWith("svc_anon_");
    }

    @Test
    void deletedTogetherWithItsProject() {
        operator.create(shop, spec -> spec.keysSecret(keys));
        operator.ready(shop);

        operator.at(shop).delete();

        await().atMost(TestingOperator.LIMIT).until(() -> secret(keys) == null);
    }

    private Secret secret(String name) {
        return operator.client()
                .secrets()
                .inNamespace(operator.namespace())
                .withName(name)
                .get();
    }

    private void delete(String name) {
        operator.client()
                .secrets()
                .inNamespace(operator.namespace())
                .withName(name)
                .delete();
    }

    private static String text(Secret secret, String key) {
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }
}

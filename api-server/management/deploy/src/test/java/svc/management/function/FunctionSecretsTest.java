package svc.management.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.crds.secret.FunctionSecret;
import svc.server.testing.TestingPlatform;
import svc.server.testing.function.FunctionCalls;
import svc.testing.Http;

/** Secret values are write-only. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class FunctionSecretsTest {
    private static final String VALUE = "a value that nobody may see";

    @Inject
    KubernetesClient kubernetes;

    private static Http.Answer put(FunctionCalls calls, String function, String key, String value) {
        return calls.api()
                .send(
                        "PUT",
                        calls.path("/secrets"),
                        FunctionCalls.json(Map.of("functionName", function, "key", key, "value", value)));
    }

    private List<FunctionSecret> resources(FunctionCalls calls) {
        return kubernetes
                .resources(FunctionSecret.class)
                .inNamespace(TestingPlatform.NAMESPACE)
                .list()
                .getItems()
                .stream()
                .filter(secret -> secret.getSpec()
                        .projectRef()
                        .name()
                        .equals(calls.project().ref()))
                .toList();
    }

    private Secret holder(FunctionSecret secret) {
        return kubernetes
                .secrets()
                .inNamespace(TestingPlatform.NAMESPACE)
                .withName(secret.getSpec().valueFrom().secretKeyRef().name())
                .get();
    }

    private String value(FunctionSecret secret) {
        String encoded = holder(secret)
                .getData()
                .get(secret.getSpec().valueFrom().secretKeyRef().key());
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }

    @Test
    void aValueIsInASecretThatBelongsToItsResourceAndNowhereElse() {
        FunctionCalls calls = FunctionCalls.ofNewProject("secret");

        Http.Answer answer = put(calls, "hello", "API_KEY", VALUE);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().get("functionName").asText()).isEqualTo("hello");
        assertThat(answer.json().get("key").asText()).isEqualTo("API_KEY");
        assertThat(answer.text()).doesNotContain(VALUE);
        FunctionSecret resource = resources(calls).getFirst();
        assertThat(Serialization.asJson(resource)).doesNotContain(VALUE);
        assertThat(value(resource)).isEqualTo(VALUE);
        assertThat(holder(resource).getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getUid())
                        .isEqualTo(resource.getMetadata().getUid()));
        assertThat(calls.api().get(calls.path("/secrets")).text())
                .contains("API_KEY")
                .doesNotContain(VALUE);
    }

    @Test
    void writingAgainReplacesTheValueAndItsSecret() {
        FunctionCalls calls = FunctionCalls.ofNewProject("upsert");
        put(calls, "hello", "KEY", "before");
        Secret before = holder(resources(calls).getFirst());

        assertThat(put(calls, "hello", "KEY", "after").status()).isEqualTo(200);

        assertThat(resources(calls))
                .singleElement()
                .satisfies(secret -> assertThat(value(secret)).isEqualTo("after"));
        assertThat(kubernetes
                        .secrets()
                        .inNamespace(TestingPlatform.NAMESPACE)
                        .withName(before.getMetadata().getName())
                        .get())
                .isNull();
    }

    @Test
    void secretsOfOneFunctionAreNotThoseOfAnother() {
        FunctionCalls calls = FunctionCalls.ofNewProject("apart");
        put(calls, "one", "KEY", "1");
        put(calls, "two", "KEY", "2");
        put(calls, "One", "KEY", "3");

        JsonNode all = calls.api().get(calls.path("/secrets")).json();
        JsonNode ofOne =
                calls.api().get(calls.path("/secrets?functionName=one")).json();
        assertThat(all).hasSize(3);
        assertThat(ofOne)
                .singleElement()
                .satisfies(secret ->
                        assertThat(secret.get("functionName").asText()).isEqualTo("one"));

        assertThat(calls.api().send("DELETE", calls.path("/secrets/one/KEY")).status())
                .isEqualTo(200);
        assertThat(calls.api().send("DELETE", calls.path("/secrets/one/KEY")).code())
                .isEqualTo("function_secret_not_found");
        assertThat(calls.api().get(calls.path("/secrets")).json()).hasSize(2);
    }

    @Test
    void namesAndValuesThatNoFunctionCouldHaveAreRefused() {
        FunctionCalls calls = FunctionCalls.ofNewProject("names");

        for (String key : List.of(
                "SVC_URL", "SUPABASE_URL", "DENO_DIR", "LD_PRELOAD", "1A", "A-B", "", "A B", "ä", "A".repeat(129))) {
            assertThat(put(calls, "hello", key, "x").code()).as(key).isEqualTo("function_secret_name_invalid");
        }
        assertThat(put(calls, "no/function", "A", "x").code()).isEqualTo("function_name_invalid");
        assertThat(put(calls, "hello", "A", "x".repeat(24_577)).code()).isEqualTo("function_secret_too_large");
        assertThat(put(calls, "hello", "A", "a\0b").code()).isEqualTo("invalid_body");
        assertThat(calls.api()
                        .send("PUT", calls.path("/secrets"), "{\"functionName\":\"hello\",\"key\":\"A\"}")
                        .json()
                        .at("/errors/0/pointer")
                        .asText())
                .isEqualTo("/value");
        assertThat(put(calls, "hello", "EMPTY", "").status()).isEqualTo(200);
        assertThat(put(calls, "hello", "__proto__", "x").status()).isEqualTo(200);
    }

    @Test
    void theFirstStartSeesThemAndThePlatformsOwn() {
        FunctionCalls calls = FunctionCalls.ofNewProject("environment");
        String source =
                "for (const name of ['KEY', 'SVC_URL', 'SUPABASE_ANON_KEY', 'SVC_SERVICE_ROLE_KEY', 'SVC_DB_SCHEMA', 'SVC_PROJECT_REF'])"
                        + " if (!Deno.env.get(name)) throw new Error(name + ' is not set');"
                        + " export default () => new Response('x');";

        Http.Answer without = calls.deploy("stuck", source);
        put(calls, "stuck", "KEY", "here");
        Http.Answer with = calls.deploy("stuck", source);

        assertThat(without.code()).as(without.toString()).isEqualTo("function_boot_failed");
        assertThat(without.json().get("detail").asText()).contains("KEY is not set");
        assertThat(with.status()).as(with.toString()).isEqualTo(201);
    }

    @Test
    void aDeletedFunctionTakesItsSecretsAlong() {
        FunctionCalls calls = FunctionCalls.ofNewProject("gone");
        put(calls, "stuck-one", "KEY", "x");
        put(calls, "other", "KEY", "x");
        calls.deployed("stuck-one", FunctionCalls.handler("x"));

        calls.api().send("DELETE", calls.path("/stuck-one"));

        assertThat(resources(calls))
                .singleElement()
                .satisfies(secret -> assertThat(secret.getSpec().functionName()).isEqualTo("other"));
    }
}

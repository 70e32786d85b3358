package svc.management.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.crds.secret.FunctionSecret;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** Secrets of all functions in the form of Supabase's Management API. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class ProjectSecretsTest {
    private static final Http API = Http.api(TestingPlatform.ADMIN);

    @Inject
    KubernetesClient client;

    private final String ref = ProjectForTests.create("secrets").ref();
    private final String path = "/v1/projects/" + ref + "/secrets";

    @Test
    void areSetListedAndDeletedByName() {
        ProjectForTests neighbour = ProjectForTests.create("beside");
        Http.Answer set = API.send(
                "POST", path, "[{\"name\":\"MAIL_KEY\",\"value\":\"hush hush\"},{\"name\":\"A\",\"value\":\"1\"}]");
        assertThat(set.status()).as(set.toString()).isEqualTo(201);
        assertThat(set.text()).isEmpty();
        API.send(
                "PUT",
                "/v1/projects/" + ref + "/functions/secrets",
                "{\"functionName\":\"own\",\"key\":\"MAIL_KEY\",\"value\":\"other\"}");

        JsonNode listed = API.get(path).json();
        assertThat(listed.findValuesAsText("name")).containsExactly("A", "MAIL_KEY");
        // Of the text 1.
        assertThat(listed.at("/0/value").asText())
                .isEqualTo("6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b");
        assertThat(listed.toString()).doesNotContain("hush");
        assertThat(API.get("/v1/projects/" + neighbour.ref() + "/secrets").json())
                .isEmpty();
        assertThat(
                        client
                                .resources(FunctionSecret.class)
                                .inNamespace(TestingPlatform.NAMESPACE)
                                .list()
                                .getItems()
                                .stream()
                                .filter(one -> one.getSpec().projectRef().name().equals(ref))
                                .filter(one -> one.getSpec().functionName() == null))
                .hasSize(2);

        Instant stored = Instant.parse(listed.at("/0/updated_at").asText());
        assertThat(API.send("POST", path, "[{\"name\":\"A\",\"value\":\"2\"}]").status())
                .isEqualTo(201);
        assertThat(Instant.parse(API.get(path).json().at("/0/updated_at").asText()))
                .isAfterOrEqualTo(stored);
        assertThat(API.send("DELETE", path, "[\"A\",\"NEVER_SET\"]").status()).isEqualTo(200);
        assertThat(API.get(path).json().findValuesAsText("name")).containsExactly("MAIL_KEY");
        assertThat(API.get("/v1/projects/" + ref + "/functions/secrets").json()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [{"name":"GOOD","value":"x"},{"name":"1BAD","value":"x"}]  | function_secret_name_invalid | /1/name
            [{"name":"SUPABASE_URL","value":"x"}]                      | function_secret_name_invalid | /0/name
            [{"name":"GOOD"}]                                          | invalid_body                 | /0/value
            [{"value":"x"}]                                            | invalid_body                 | /0/name
            [null]                                                     | invalid_body                 | ''
            {"name":"GOOD","value":"x"}                                | invalid_body                 | ''
            [{"name":"GOOD","value":5}]                                | invalid_body                 | /0/value
            """)
    void nothingIsStoredUnlessAllAreValid(String body, String code, String pointer) {
        Http.Answer refused = API.send("POST", path, body);
        assertThat(refused.code()).as(refused.toString()).isEqualTo(code);
        assertThat(refused.json().at("/errors/0/pointer").asText())
                .as(refused.toString())
                .isEqualTo(pointer);
        assertThat(API.get(path).json()).isEmpty();
    }

    @Test
    void needThePermission() {
        Http plain = Http.api(API.send("POST", "/v1/tokens", "{\"name\":\"plain\"}")
                .json()
                .get("token")
                .asText());
        assertThat(plain.get(path).code()).isEqualTo("pat_edge_functions_forbidden");
        assertThat(plain.send("POST", path, "[]").code()).isEqualTo("pat_edge_functions_forbidden");
        assertThat(plain.send("DELETE", path, "[]").code()).isEqualTo("pat_edge_functions_forbidden");
    }
}

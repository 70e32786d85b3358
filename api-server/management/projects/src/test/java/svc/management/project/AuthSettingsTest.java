package svc.management.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.project.Project;
import svc.crds.project.auth.AuthSpec;
import svc.crds.project.auth.ProviderSpec;
import svc.crds.reference.SecretKeyReference;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** The auth settings through the Management API; secret values are write-only. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class AuthSettingsTest {
    private static final Http API = Http.api(TestingPlatform.ADMIN);
    private static final String GITHUB =
            "{\"name\":\"github\",\"type\":\"GitHub\",\"clientId\":\"c\",\"clientSecretRef\":{\"value\":\"hush"
                    + " hush\"}}";

    @Inject
    KubernetesClient kubernetes;

    private static String create() {
        return ProjectForTests.create("settings").ref();
    }

    private static Http.Answer change(String ref, String auth) {
        return API.send("PATCH", "/v1/projects/" + ref, "{\"auth\":" + auth + "}");
    }

    private Project project(String ref) {
        return kubernetes.resources(Project.class).inAnyNamespace().list().getItems().stream()
                .filter(one -> ref.equals(one.getMetadata().getName()))
                .findFirst()
                .orElseThrow();
    }

    private List<Secret> secrets(String ref) {
        return kubernetes
                .secrets()
                .inAnyNamespace()
                .withLabel("svc.platform/ref", ref)
                .list()
                .getItems();
    }

    @Test
    void theyHaveTheNamesOfTheResourceAndNullTakesBackTheDefault() {
        String ref = create();
        JsonNode auth = change(
                        ref,
                        "{\"siteUrl\":\"https://shop.example\",\"redirectUrls\":[\"https://*.shop.example/**\"],"
                                + "\"manualLinking\":true,\"email\":{\"autoconfirm\":true,\"otpLength\":8}}")
                .json()
                .get("auth");
        assertThat(auth.path("siteUrl").asText()).isEqualTo("https://shop.example");
        assertThat(auth.path("email").path("otpLength").asInt()).isEqualTo(8);
        assertThat(auth.path("email").path("enabled").asBoolean()).isTrue();
        JsonNode again = change(ref, "{\"siteUrl\":null,\"email\":{\"otpLength\":null}}")
                .json()
                .get("auth");
        assertThat(again.has("siteUrl")).isFalse();
        assertThat(again.path("email").path("otpLength").asInt()).isEqualTo(6);
        assertThat(again.path("email").path("autoconfirm").asBoolean()).isTrue();
        assertThat(again.path("manualLinking").asBoolean()).isTrue();
        assertThat(API.get("/v1/projects/" + ref).json().get("auth")).isEqualTo(again);
    }

    /** As in a manifest, which may be applied before the migration that creates the function. */
    @Test
    void aHookMayNameAFunctionThatDoesNotExistYet() {
        String ref = create();
        Http.Answer answer = change(ref, "{\"hooks\":{\"customAccessToken\":{\"function\":\"public.made_later\"}}}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().at("/auth/hooks/customAccessToken/function").asText())
                .isEqualTo("public.made_later");
    }

    @Test
    void aSecretIsKeptBesideAndNeverShown() {
        String ref = create();
        Http.Answer answer = change(
                ref,
                "{\"providers\":[" + GITHUB + "],\"smtp\":{\"host\":\"mail.example\",\"from\":\"a@b.example\","
                        + "\"username\":\"u\",\"passwordSecretRef\":{\"value\":\"mail pass\"}}}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.toString()).doesNotContain("hush hush", "mail pass");
        SecretKeyReference place =
                project(ref).getSpec().auth().providers().getFirst().clientSecretRef();
        assertThat(secrets(ref)).hasSize(2).anySatisfy(secret -> {
            assertThat(secret.getMetadata().getName()).isEqualTo(place.name());
            assertThat(new String(
                            Base64.getDecoder().decode(secret.getData().get(place.key())), StandardCharsets.UTF_8))
                    .isEqualTo("hush hush");
            assertThat(secret.getMetadata().getOwnerReferences().getFirst().getName())
                    .isEqualTo(ref);
        });
        assertThat(project(ref).toString()).doesNotContain("hush hush");

        // A response can be sent back as a patch; a provider without its secret keeps it.
        String shown = answer.json().get("auth").toString();
        assertThat(change(ref, shown).status()).isEqualTo(200);
        change(ref, "{\"providers\":[{\"name\":\"github\",\"type\":\"GitHub\",\"clientId\":\"other\"}]}");
        ProviderSpec provider = project(ref).getSpec().auth().providers().getFirst();
        assertThat(provider.clientId()).isEqualTo("other");
        assertThat(provider.clientSecretRef()).isEqualTo(place);

        // A new value replaces the old one, which is deleted.
        change(ref, "{\"providers\":[" + GITHUB + "]}");
        assertThat(secrets(ref))
                .hasSize(2)
                .noneMatch(secret -> secret.getMetadata().getName().equals(place.name()));
        change(ref, "{\"providers\":[],\"smtp\":null}");
        assertThat(secrets(ref)).isEmpty();
    }

    @Test
    void aSecretOfAnotherProjectCannotBeNamed() {
        String own = create();
        String other = create();
        change(other, "{\"providers\":[" + GITHUB + "]}");
        SecretKeyReference theirs =
                project(other).getSpec().auth().providers().getFirst().clientSecretRef();
        Http.Answer refused = change(
                own,
                "{\"providers\":["
                        + GITHUB.replace(
                                "{\"value\":\"hush hush\"}", "{\"name\":\"" + theirs.name() + "\",\"key\":\"value\"}")
                        + "]}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().at("/errors/0/pointer").asText()).isEqualTo("/auth/providers/0/clientSecretRef");
        change(own, "{\"providers\":[" + GITHUB + "]}");
        SecretKeyReference mine =
                project(own).getSpec().auth().providers().getFirst().clientSecretRef();
        assertThat(change(
                                own,
                                "{\"captcha\":{\"provider\":\"HCaptcha\",\"secretKeyRef\":{\"name\":\"" + mine.name()
                                        + "\",\"key\":\"value\"}}}")
                        .status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        []                                         | /auth                            | must be an object
        null                                       | /auth                            | must be an object
        {"site_url":"https://a.example"}           | /auth/site_url                   | unknown field
        {"siteUrl":"ftp://a.example"}              | /auth/siteUrl                    | match
        {"siteUrl":7}                              | /auth/siteUrl                    | a string
        {"signUp":"yes"}                           | /auth/signUp                     | true or false
        {"email":{"otpLength":11}}                 | /auth/email/otpLength            | 10
        {"email":{"otpLength":"6"}}                | /auth/email/otpLength            | a whole number
        {"email":{"length":6}}                     | /auth/email/length               | unknown field
        {"password":{"requiredCharacters":"All"}}  | /auth/password/requiredCharacters | one of the allowed values
        {"providers":[{"name":"a","type":"Oidc","clientId":"c","clientSecretRef":{"value":"s"}}]} | /auth/providers/0/issuer | set issuer
        {"providers":[{"name":"a","type":"GitHub","clientId":"c"}]} | /auth/providers/0/clientSecretRef | equired
        {"providers":[{"name":"a","type":"GitHub","clientId":"c","clientSecretRef":{"value":""}}]} | /auth/providers/0/clientSecretRef | value
        {"providers":[{"name":"a","type":"GitHub","clientId":"c","clientSecretRef":{"value":"s","name":"x"}}]} | /auth/providers/0/clientSecretRef | no other member
        {"providers":[{"name":"a","type":"GitHub","clientId":"c","clientSecretRef":"s"}]} | /auth/providers/0/clientSecretRef | an object
        {"smtp":{"host":"h","from":"a@b.example","username":"u"}} | /auth/smtp | both or neither
        """)
    void whatCannotBeIsSaidAndLeavesNothing(String auth, String pointer, String why) {
        String ref = create();
        Http.Answer answer = change(ref, auth);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("invalid_body");
        assertThat(answer.json().at("/errors/0/pointer").asText())
                .as(answer.toString())
                .isEqualTo(pointer);
        assertThat(answer.json().at("/errors/0").toString()).contains(why);
        assertThat(secrets(ref)).isEmpty();
    }

    @Test
    void theDocumentOfTheApiNamesThem() {
        JsonNode schemas = API.get("/v1/openapi.json").json().at("/components/schemas");
        assertThat(schemas.at("/UpdateProjectBody/properties").has("auth")).isTrue();
        assertThat(schemas.at("/AuthSpec/properties").has("siteUrl"))
                .as(schemas.path("AuthSpec").toString())
                .isTrue();
        assertThat(schemas.at("/ProviderSpec/properties").has("clientSecretRef"))
                .isTrue();
        assertThat(schemas.at("/RestSettings/properties").has("maxRows")).isTrue();
        JsonNode created = API.get("/v1/openapi.json")
                .json()
                .at("/paths/~1v1~1projects/post/requestBody/content/application~1json/schema/$ref");
        String name = created.asText().replace("#/components/schemas/", "");
        assertThat(schemas.path(name).path("properties").has("deletion_policy"))
                .as(name + " " + schemas.path(name))
                .isTrue();
    }

    @Test
    void theDocumentHasTheNamesThatAnswersHave() {
        JsonNode document = API.get("/v1/openapi.json").json();
        String ref = create();
        for (String path : List.of("/v1/projects/" + ref, "/v1/projects", "/v1/tokens")) {
            JsonNode answer = API.get(path).json();
            JsonNode one = answer.isArray() ? answer.get(0) : answer;
            JsonNode schema = document.path("paths")
                    .path(path.replace(ref, "{ref}"))
                    .at("/get/responses/200/content/application~1json/schema");
            assertNamed(document, one, schema, path);
        }
    }

    private static void assertNamed(JsonNode document, JsonNode answer, JsonNode schema, String where) {
        JsonNode found = schema.has("items") ? schema.get("items") : schema;
        while (found.has("$ref")) {
            found = document.at(found.get("$ref").asText().substring(1));
        }
        JsonNode properties = found.path("properties");
        assertThat(properties.isObject()).as(where + " " + schema).isTrue();
        for (var member : answer.properties()) {
            assertThat(properties.has(member.getKey()))
                    .as(where + ": " + member.getKey() + " in " + properties)
                    .isTrue();
            if (member.getValue().isObject() && properties.get(member.getKey()).has("$ref")) {
                assertNamed(
                        document, member.getValue(), properties.get(member.getKey()), where + "." + member.getKey());
            }
        }
    }

    @Test
    void theMessageSaysWhyASettingIsRefused() {
        String ref = create();
        Http.Answer refused = change(ref, "{\"siteUrl\":\"no address\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().path("message").asText())
                .contains("/auth/siteUrl")
                .contains(refused.json().at("/errors/0/message").asText());
    }

    /** With keys or hooks of its own a caller would sign tokens as service_role, which only SQL may do. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"smtp_host\":\"mail.me.example\",\"smtp_admin_email\":\"a@me.example\"}",
                "{\"mailer_templates_recovery_content\":\"<a href='https://me.example/{{ .Token }}'>x</a>\"}",
                "{\"external_keycloak_enabled\":true,\"external_keycloak_client_id\":\"me\","
                        + "\"external_keycloak_secret\":\"s\",\"external_keycloak_url\":\"https://me.example\"}",
                "{\"hook_custom_access_token_enabled\":true,\"hook_custom_access_token_uri\":\"https://me.example/h\","
                        + "\"hook_custom_access_token_secrets\":\"v1,whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5\"}"
            })
    void aTokenThatOnlyCreatesProjectsDoesNotDecideWhoCanSignIn(String config) {
        String ref = create();
        String path = "/v1/projects/" + ref + "/config/auth";
        Http weak = Http.api(
                API.send("POST", "/v1/tokens", "{\"name\":\"weak\",\"permissions\":{\"projects_create\":true}}")
                        .json()
                        .get("token")
                        .asText());
        AuthSpec before = project(ref).getSpec().auth();

        Http.Answer refused = weak.send("PATCH", path, config);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(403);
        assertThat(refused.code()).isEqualTo("pat_database_query_forbidden");
        assertThat(project(ref).getSpec().auth()).isEqualTo(before);
        assertThat(secrets(ref)).isEmpty();

        assertThat(weak.send("PATCH", path, "{\"site_url\":\"https://a.example\"}")
                        .status())
                .isEqualTo(200);
        Http.Answer allowed = API.send("PATCH", path, config);
        assertThat(allowed.status()).as(allowed.toString()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jwt\":{\"verifyKeys\":[{\"name\":\"mine\",\"type\":\"HS256\",\"secretKeyRef\":{\"value\":"
                        + "\"0123456789012345678901234567890123456789\"}}]}}",
                "{\"jwt\":{\"verifyKeys\":[{\"name\":\"mine\",\"type\":\"JWKS\",\"url\":\"https://me.example/jwks\"}]}}",
                "{\"hooks\":{\"customAccessToken\":{\"url\":\"https://me.example/hook\",\"secretKeyRef\":{\"value\":"
                        + "\"v1,whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5\"}}}}",
            })
    void aTokenThatOnlyCreatesProjectsDoesNotDecideWhoIsServiceRole(String auth) {
        String ref = create();
        String secret = API.send("POST", "/v1/tokens", "{\"name\":\"weak\",\"permissions\":{\"projects_create\":true}}")
                .json()
                .get("token")
                .asText();
        Http weak = Http.api(secret);
        AuthSpec before = project(ref).getSpec().auth();

        Http.Answer refused = weak.send("PATCH", "/v1/projects/" + ref, "{\"auth\":" + auth + "}");
        assertThat(refused.status()).as(refused.toString()).isEqualTo(403);
        assertThat(refused.code()).isEqualTo("pat_database_query_forbidden");
        assertThat(project(ref).getSpec().auth()).isEqualTo(before);
        assertThat(secrets(ref)).isEmpty();

        assertThat(weak.send("PATCH", "/v1/projects/" + ref, "{\"auth\":{\"siteUrl\":\"https://a.example\"}}")
                        .status())
                .isEqualTo(200);
        Http.Answer allowed = change(ref, auth);
        assertThat(allowed.status()).as(allowed.toString()).isEqualTo(200);
        // What was there already is no change, and taking it away is one.
        String shown = allowed.json().get("auth").toString();
        assertThat(weak.send("PATCH", "/v1/projects/" + ref, "{\"auth\":" + shown + "}")
                        .status())
                .isEqualTo(200);
        assertThat(weak.send("PATCH", "/v1/projects/" + ref, "{\"auth\":{\"jwt\":null,\"hooks\":null}}")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void aKeySetBeyondTheLimitsIsRefused() {
        String ref = create();
        String set = "{\\\"keys\\\":[{\\\"kty\\\":\\\"RSA\\\",\\\"n\\\":\\\"AQAB\\\",\\\"e\\\":\\\"AQAB\\\"}]}";
        Http.Answer answer = change(
                ref,
                "{\"jwt\":{\"verifyKeys\":[{\"name\":\"idp\",\"type\":\"JWKS\",\"secretKeyRef\":{\"value\":\"" + set
                        + "\"}}]}}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.text()).contains("RSA of 17 bits", "/auth/jwt/verifyKeys/0");
        assertThat(secrets(ref)).isEmpty();
    }
}

package svc.management.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.crds.project.auth.HookSpec;
import svc.crds.project.auth.ProviderSpec;
import svc.crds.project.auth.ProviderType;
import svc.crds.project.auth.RequiredCharacters;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** Settings of auth, REST and realtime under the names of Supabase's Management API are those of the Project's spec. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class ServiceConfigTest {
    private static final Http API = Http.api(TestingPlatform.ADMIN);

    @Inject
    KubernetesClient kubernetes;

    private final String ref = ProjectForTests.create("configured").ref();
    private final String path = "/v1/projects/" + ref;

    private ProjectSpec spec() {
        return kubernetes
                .resources(Project.class)
                .inNamespace(TestingPlatform.NAMESPACE)
                .withName(ref)
                .get()
                .getSpec();
    }

    private JsonNode changed(String place, String body) {
        Http.Answer answer = API.send("PATCH", path + place, body);
        assertThat(answer.status()).as(answer.toString()).isIn(200, 204);
        return API.get(path + place).json();
    }

    @Test
    void authSettingsAreThoseOfTheSpec() {
        JsonNode before = API.get(path + "/config/auth").json();
        assertThat(before.get("disable_signup").asBoolean()).isFalse();
        assertThat(before.get("jwt_exp").asInt()).isEqualTo(3600);
        assertThat(before.get("password_required_characters").asText()).isEmpty();
        assertThat(before.get("sessions_timebox").asInt()).isZero();
        assertThat(before.get("external_google_enabled").asBoolean()).isFalse();

        JsonNode after = changed("/config/auth", """
                {"site_url": "https://app.example", "uri_allow_list": "https://a.example/*, https://b.example",
                 "disable_signup": true, "jwt_exp": 600, "mailer_otp_exp": 900, "sessions_timebox": 24,
                 "sessions_inactivity_timeout": 0.5, "rate_limit_email_sent": 7,
                 "password_required_characters": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789",
                 "mailer_subjects_magic_link": "Come in", "mailer_templates_magic_link_content": "<a>in</a>"}""");

        var auth = spec().auth();
        assertThat(auth.siteUrl()).isEqualTo("https://app.example");
        assertThat(auth.redirectUrls()).containsExactly("https://a.example/*", "https://b.example");
        assertThat(auth.signUp()).isFalse();
        assertThat(auth.jwt().expirySeconds()).isEqualTo(600);
        assertThat(auth.email().otpExpirySeconds()).isEqualTo(900);
        assertThat(auth.sessions().timeboxSeconds()).isEqualTo(86_400);
        assertThat(auth.sessions().inactivityTimeoutSeconds()).isEqualTo(1_800);
        assertThat(auth.password().requiredCharacters()).isEqualTo(RequiredCharacters.LETTERS_DIGITS);
        assertThat(auth.templates().magicLink().subject()).isEqualTo("Come in");
        assertThat(after.get("uri_allow_list").asText()).isEqualTo("https://a.example/*,https://b.example");
        assertThat(after.get("sessions_inactivity_timeout").asDouble()).isEqualTo(0.5);
        assertThat(after.get("mailer_templates_magic_link_content").asText()).isEqualTo("<a>in</a>");

        JsonNode restored = changed("/config/auth", "{\"jwt_exp\":null,\"sessions_timebox\":0}");
        assertThat(restored.get("jwt_exp").asInt()).isEqualTo(3600);
        assertThat(restored.get("disable_signup").asBoolean()).isTrue();
        assertThat(spec().auth().sessions().timeboxSeconds()).isNull();
    }

    @Test
    void providersMailServerAndHooksKeepTheirSecrets() {
        JsonNode after = changed("/config/auth", """
                {"external_github_enabled": true, "external_github_client_id": "id", "external_github_secret": "hush hush",
                 "smtp_host": "mail.example", "smtp_port": "2525", "smtp_admin_email": "a@b.example", "smtp_user": "u", "smtp_pass": "hush hush",
                 "hook_custom_access_token_enabled": true,
                 "hook_custom_access_token_uri": "pg-functions://postgres/public/claims"}""");

        ProviderSpec github = spec().auth().providers().getFirst();
        assertThat(github.type()).isEqualTo(ProviderType.GIT_HUB);
        assertThat(github.clientId()).isEqualTo("id");
        assertThat(spec().auth().smtp().passwordSecretRef()).isNotNull();
        assertThat(spec().auth().smtp().port()).isEqualTo(2525);
        assertThat(after.get("smtp_port").textValue()).isEqualTo("2525");
        assertThat(changed("/config/auth", "{\"smtp_port\":465}")
                        .get("smtp_port")
                        .textValue())
                .isEqualTo("465");
        assertThat(spec().auth().hooks().customAccessToken()).isEqualTo(new HookSpec("public.claims", null, null));
        assertThat(after.toString()).doesNotContain("hush");
        assertThat(after.get("external_github_client_id").asText()).isEqualTo("id");
        assertThat(after.get("hook_custom_access_token_uri").asText())
                .isEqualTo("pg-functions://postgres/public/claims");

        changed("/config/auth", """
                {"external_github_client_id": "other", "external_google_enabled": false, "smtp_host": null,
                 "hook_custom_access_token_enabled": false}""");
        assertThat(spec().auth().providers()).hasSize(1);
        assertThat(spec().auth().providers().getFirst().clientId()).isEqualTo("other");
        assertThat(spec().auth().providers().getFirst().clientSecretRef()).isEqualTo(github.clientSecretRef());
        assertThat(spec().auth().smtp()).isNull();
        assertThat(spec().auth().hooks().customAccessToken()).isNull();
    }

    @Test
    void restSettingsAreThoseOfTheSpec() {
        assertThat(API.get(path + "/postgrest").json().toString())
                .isEqualTo(
                        "{\"db_schema\":\"public\",\"max_rows\":1000,\"db_extra_search_path\":\"public, extensions\"}");

        JsonNode after = changed(
                "/postgrest",
                "{\"db_schema\":\"public,graphql_public, shop\",\"max_rows\":50,\"db_extra_search_path\":\"public, extensions\","
                        + "\"db_pool\":null}");

        assertThat(spec().rest().exposedSchemas()).containsExactly("public", "shop");
        assertThat(spec().rest().maxRows()).isEqualTo(50);
        assertThat(after.get("db_schema").asText()).isEqualTo("public,graphql_public, shop");
    }

    /** Terraform takes any other text for a change from outside. */
    @Test
    void listsAreShownAsTheyWereWrittenWhileTheyAreStillTrue() {
        JsonNode written = changed(
                "/postgrest",
                "{\"db_schema\":\"public,graphql_public\",\"db_extra_search_path\":\"extensions,public\"}");
        assertThat(written.get("db_schema").asText()).isEqualTo("public,graphql_public");
        assertThat(written.get("db_extra_search_path").asText()).isEqualTo("extensions,public");
        assertThat(changed("/postgrest", "{\"max_rows\":7}").get("db_schema").asText())
                .isEqualTo("public,graphql_public");

        assertThat(API.send("PATCH", path, "{\"rest\":{\"exposedSchemas\":[\"public\",\"shop\"]}}")
                        .status())
                .isEqualTo(200);
        assertThat(API.get(path + "/postgrest").json().get("db_schema").asText())
                .isEqualTo("public,shop");

        String longText = "public" + ",".repeat(5_000);
        assertThat(changed("/postgrest", "{\"db_schema\":\"" + longText + "\"}")
                        .get("db_schema")
                        .asText())
                .isEqualTo("public");
    }

    @Test
    void realtimeSettingsAreThoseOfTheSpec() {
        assertThat(API.get(path + "/config/realtime").json().toString())
                .isEqualTo("{\"private_only\":false,\"max_concurrent_users\":500,\"max_events_per_second\":500,"
                        + "\"max_channels_per_client\":100,\"max_joins_per_second\":500,"
                        + "\"max_presence_events_per_second\":50,\"max_payload_size_in_kb\":256,\"suspend\":false}");

        JsonNode after =
                changed("/config/realtime", "{\"private_only\":true,\"max_concurrent_users\":7,\"suspend\":true}");

        assertThat(spec().realtime().privateOnly()).isTrue();
        assertThat(spec().realtime().maxConnections()).isEqualTo(7);
        assertThat(spec().realtime().enabled()).isFalse();
        assertThat(after.get("suspend").asBoolean()).isTrue();
        assertThat(after.get("max_joins_per_second").asInt()).isEqualTo(500);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /config/auth     | {"site_ulr":"https://a"}                 | /site_ulr
            /config/auth     | {"security_captcha_enabled":false}       | /security_captcha_enabled
            /config/auth     | {"jwt_exp":"600"}                        | /jwt_exp
            /config/auth     | {"jwt_exp":5}                            | /jwt_exp
            /config/auth     | {"disable_signup":"no"}                  | /disable_signup
            /config/auth     | {"uri_allow_list":5}                     | /uri_allow_list
            /config/auth     | {"sessions_timebox":-1}                  | /sessions_timebox
            /config/auth     | {"password_required_characters":"abc"}   | /password_required_characters
            /config/auth     | {"smtp_host":"mail.example"}             | /smtp_admin_email
            /config/auth     | {"external_google_enabled":true}         | /external_google_client_id
            /config/auth     | {"external_google_client_id":"x"}        | /external_google_secret
            /config/auth     | {"hook_send_email_enabled":true}         | /hook_send_email_uri
            /config/auth     | {"hook_send_email_uri":5}                | /hook_send_email_uri
            /config/auth     | []                                       | ''
            /config/realtime | {"connection_pool":5}                    | /connection_pool
            /config/realtime | {"max_concurrent_users":0}               | /max_concurrent_users
            /config/realtime | {"private_only":"yes"}                   | /private_only
            /config/realtime | "x"                                      | ''
            /postgrest       | {"max_rows":0}                           | /max_rows
            /postgrest       | {"db_schema":"auth"}                     | /db_schema
            /postgrest       | {"db_extra_search_path":"other"}         | /db_extra_search_path
            /postgrest       | {"db_pool":5}                            | /db_pool
            /postgrest       | {"jwt_secret":"x"}                       | /jwt_secret
            """)
    void whatIsNotASettingIsNamed(String place, String body, String pointer) throws Exception {
        ProjectSpec before = spec();
        Http.Answer refused = API.send("PATCH", path + place, body);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.json().at("/errors/0/pointer").asText())
                .as(refused.toString())
                .isEqualTo(pointer);
        JsonNode sent = new ObjectMapper().readTree(body);
        if (sent.isObject() && !pointer.isEmpty()) {
            assertThat(refused.json().get("message").asText()).contains(pointer.substring(1));
        }
        assertThat(spec()).isEqualTo(before);
    }

    @Test
    void othersMayNotChangeThem() {
        Http plain = Http.api(API.send("POST", "/v1/tokens", "{\"name\":\"plain\"}")
                .json()
                .get("token")
                .asText());
        for (String place : new String[] {"/config/auth", "/config/realtime", "/postgrest"}) {
            assertThat(plain.get(path + place).status()).as(place).isEqualTo(200);
            assertThat(plain.send("PATCH", path + place, "{}").code()).isEqualTo("pat_projects_create_forbidden");
            assertThat(API.get("/v1/projects/nothere1" + place).code()).isEqualTo("project_not_found");
        }
    }
}

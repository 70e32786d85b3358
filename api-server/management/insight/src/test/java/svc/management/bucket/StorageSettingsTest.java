package svc.management.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** Settings and buckets of the storage service in the form of Supabase's Management API. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class StorageSettingsTest {
    private static final Http API = Http.api(TestingPlatform.ADMIN);

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private static String path() {
        return "/v1/projects/" + ProjectForTests.create("files").ref() + "/config/storage";
    }

    @Test
    void theyAreThoseOfTheSpec() {
        String path = path();
        assertThat(API.get(path).json().toString())
                .isEqualTo("{\"fileSizeLimit\":52428800,\"features\":{\"imageTransformation\":{\"enabled\":false},"
                        + "\"s3Protocol\":{\"enabled\":true}}}");

        Http.Answer changed = API.send(
                "PATCH",
                path,
                "{\"fileSizeLimit\":1000,\"features\":{\"s3Protocol\":{\"enabled\":false}},\"totalSizeLimitMB\":7,"
                        + "\"egressLimitMB\":9}");
        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
        assertThat(changed.json().toString())
                .isEqualTo("{\"fileSizeLimit\":1000,\"features\":{\"imageTransformation\":{\"enabled\":false},"
                        + "\"s3Protocol\":{\"enabled\":false}},\"totalSizeLimitMB\":7,\"egressLimitMB\":9}");

        JsonNode again = API.send("PATCH", path, "{\"totalSizeLimitMB\":null}").json();
        assertThat(again.has("totalSizeLimitMB")).isFalse();
        assertThat(again.path("fileSizeLimit").asLong()).isEqualTo(1000);
        assertThat(again.at("/features/s3Protocol/enabled").asBoolean(true)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"fileSizeLimit":0}                              | /fileSizeLimit
            {"fileSizeLimit":53687091201}                    | /fileSizeLimit
            {"fileSizeLimit":"1"}                            | /fileSizeLimit
            {"totalSizeLimitMB":-1}                          | /totalSizeLimitMB
            {"egressLimitMB":-1}                             | /egressLimitMB
            {"features":{"icebergCatalog":{"enabled":true}}} | /features/icebergCatalog
            {"features":{"s3Protocol":{"enabled":"yes"}}}    | /features/s3Protocol/enabled
            {"file_size_limit":5}                            | /file_size_limit
            """)
    void whatIsNotASettingIsNamed(String body, String pointer) {
        Http.Answer refused = API.send("PATCH", path(), body);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.json().at("/errors/0/pointer").asText())
                .as(refused.toString())
                .isEqualTo(pointer);
    }

    @Test
    void bucketsAreListedAsTheDatabaseHasThem() {
        TestingProject project = TestingProject.create(client, tenants, "buckets");
        TestingProject neighbour = TestingProject.create(client, tenants, "beside");
        run(
                project,
                "insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)"
                        + " values ('b', 'b', true, 5, '{image/*}'), ('a', 'a', false, null, null)");
        run(neighbour, "insert into storage.buckets (id, name) values ('secret', 'secret')");

        JsonNode buckets =
                API.get("/v1/projects/" + project.ref() + "/storage/buckets").json();
        assertThat(buckets.size()).as(buckets.toString()).isEqualTo(2);
        assertThat(buckets.at("/0/id").asText()).isEqualTo("a");
        assertThat(buckets.at("/0/public").asBoolean()).isFalse();
        assertThat(buckets.at("/0/owner").asText("-")).isEmpty();
        assertThat(buckets.at("/1/name").asText()).isEqualTo("b");
        assertThat(buckets.at("/1/public").asBoolean()).isTrue();
        assertThat(buckets.at("/1/file_size_limit").asLong()).isEqualTo(5);
        assertThat(buckets.at("/1/allowed_mime_types/0").asText()).isEqualTo("image/*");
        assertThat(buckets.at("/1/versioning_status").asText()).isEqualTo("DISABLED");
        assertThat(buckets.at("/1/created_at").asText()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
    }

    private static void run(TestingProject project, String sql) {
        Http.Answer answer = API.send("POST", project.path(), "{\"query\":\"" + sql + "\"}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    }

    @Test
    void aTokenOfAnotherOrganisationSeesNeither() {
        String ref = ProjectForTests.create("hidden").ref();
        String slug = "files-" + Long.toString(System.nanoTime(), 36);
        Http.Answer made = API.send("POST", "/v1/organizations", "{\"slug\":\"" + slug + "\",\"name\":\"Other\"}");
        Http foreigner = Http.api(made.json().at("/token/token").asText());
        String config = "/v1/projects/" + ref + "/config/storage";
        assertThat(foreigner.get(config).code()).isEqualTo("project_not_found");
        assertThat(foreigner.send("PATCH", config, "{\"fileSizeLimit\":1}").status())
                .isIn(403, 404);
        assertThat(foreigner.get("/v1/projects/" + ref + "/storage/buckets").status())
                .isIn(403, 404);
        assertThat(API.get(config).json().path("fileSizeLimit").asLong()).isEqualTo(52428800);
        assertThat(API.get("/v1/projects/zzzzzzzz/storage/buckets").code()).isEqualTo("project_not_found");
    }

    @Test
    void theDocumentOfTheApiDescribesThem() {
        JsonNode document = API.get("/v1/openapi.json").json();
        JsonNode paths = document.path("paths");
        JsonNode config = paths.path("/v1/projects/{ref}/config/storage");
        assertThat(config.at("/get/operationId").asText()).isEqualTo("v1-get-storage-config");
        assertThat(config.at("/patch/operationId").asText()).isEqualTo("v1-update-storage-config");
        assertThat(document.at("/components/schemas/StorageConfig/properties").has("fileSizeLimit"))
                .isTrue();
        assertThat(paths.path("/v1/projects/{ref}/storage/buckets")
                        .at("/get/operationId")
                        .asText())
                .isEqualTo("v1-list-all-buckets");
        JsonNode bucket = document.at("/components/schemas/StorageBucketResponse/properties");
        assertThat(bucket.has("public")).as(bucket.toString()).isTrue();
        assertThat(bucket.has("file_size_limit")).isTrue();
    }
}

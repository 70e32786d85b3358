package svc.server.management.project;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** Access keys of the S3 protocol: shown once, listed, deleted, audited, bounded, and of one project. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class S3KeysTest {
    private static final Http ADMIN = Http.api(TestingPlatform.ADMIN);

    private final ProjectForTests project = ProjectForTests.create("s3 keys");
    private final String path = "/v1/projects/" + project.ref() + "/storage/s3-keys";

    private static Http.Answer create(String path, String name) {
        return ADMIN.send("POST", path, "{\"name\":\"" + name + "\"}");
    }

    /** What the S3 protocol says to a credential: the projects here have no database, so a right one meets that. */
    private static String asked(ProjectForTests project, AwsCredentials credentials) {
        try (S3Presigner presigner = S3Presigner.builder()
                .endpointOverride(URI.create("http://" + project.ref() + ".data.example/storage/v1/s3"))
                .region(Region.US_EAST_1)
                .serviceConfiguration(
                        S3Configuration.builder().pathStyleAccessEnabled(true).build())
                .credentialsProvider(StaticCredentialsProvider.create(credentials))
                .build()) {
            String url = presigner
                    .presignGetObject(request -> request.signatureDuration(Duration.ofMinutes(5))
                            .getObjectRequest(object -> object.bucket("b").key("f")))
                    .url()
                    .getFile();
            String answer = project.http().get(url).text();
            return answer.substring(answer.indexOf("<Code>") + 6, answer.indexOf("</Code>"));
        }
    }

    private static String asked(ProjectForTests project, String id, String secret) {
        return asked(project, AwsBasicCredentials.create(id, secret));
    }

    @Test
    void aKeyIsShownOnceAndWorksUntilItIsDeleted() {
        Http.Answer made = create(path, "backup");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        String id = made.json().get("id").asText();
        String secret = made.json().get("secret").asText();
        assertThat(id).matches("[0-9a-f]{32}");
        assertThat(secret).matches("[0-9a-f]{64}");
        assertThat(made.json().get("endpoint").asText()).endsWith("/storage/v1/s3");

        Http.Answer listed = ADMIN.get(path);
        assertThat(listed.json().at("/0/id").asText()).isEqualTo(id);
        assertThat(listed.json().at("/0/name").asText()).isEqualTo("backup");
        assertThat(listed.toString()).doesNotContain(secret);

        JsonNode audit = ADMIN.get("/v1/projects/" + project.ref() + "/audit").json();
        assertThat(audit.toString()).contains("create s3 key " + id).doesNotContain(secret);

        assertThat(ADMIN.send("DELETE", path + "/" + id).status()).isEqualTo(200);
        assertThat(ADMIN.get(path).json()).isEmpty();
        assertThat(ADMIN.send("DELETE", path + "/" + id).code()).isEqualTo("s3_key_not_found");
        assertThat(ADMIN.send("DELETE", path + "/x").code()).isEqualTo("s3_key_not_found");
        assertThat(ADMIN.get("/v1/projects/" + project.ref() + "/audit").json().toString())
                .contains("delete s3 key " + id);
        // Another one is another key.
        assertThat(create(path, "backup").json().get("secret").asText()).isNotEqualTo(secret);
    }

    @Test
    void aKeyIsOfOneProject() {
        JsonNode key = create(path, "x").json();
        String id = key.get("id").asText();
        String secret = key.get("secret").asText();
        await().untilAsserted(() -> assertThat(asked(project, id, secret)).isEqualTo("ServiceUnavailable"));
        assertThat(asked(project, id, (secret.startsWith("0") ? "1" : "0") + secret.substring(1)))
                .isEqualTo("SignatureDoesNotMatch");
        ProjectForTests neighbour = ProjectForTests.create("neighbour of s3 keys");
        assertThat(asked(neighbour, id, secret)).isEqualTo("InvalidAccessKeyId");
        ADMIN.send("DELETE", path + "/" + id);
        await().untilAsserted(() -> assertThat(asked(project, id, secret)).isEqualTo("InvalidAccessKeyId"));
    }

    @Test
    void aSessionTokenIsAUsersToken() {
        String token = project.token(project.claims().build());
        assertThat(asked(project, AwsSessionCredentials.create(project.ref(), project.anonKey(), token)))
                .isEqualTo("ServiceUnavailable");
        assertThat(asked(project, AwsSessionCredentials.create(project.ref(), project.anonKey(), token + "x")))
                .isEqualTo("InvalidToken");
        assertThat(asked(project, AwsSessionCredentials.create(project.ref(), project.serviceKey(), token)))
                .isEqualTo("SignatureDoesNotMatch");
        ProjectForTests neighbour = ProjectForTests.create("neighbour of tokens");
        String foreign = neighbour.token(neighbour.claims().build());
        assertThat(asked(project, AwsSessionCredentials.create(project.ref(), project.anonKey(), foreign)))
                .isEqualTo("InvalidToken");
        String ended = project.token(project.claims()
                .expirationTime(Date.from(Instant.now().minusSeconds(600)))
                .build());
        assertThat(asked(project, AwsSessionCredentials.create(project.ref(), project.anonKey(), ended)))
                .isEqualTo("InvalidToken");
    }

    @Test
    void keysAreForThoseWhoMayRunSql() {
        String plain = ADMIN.send("POST", "/v1/tokens", "{\"name\":\"plain\"}")
                .json()
                .get("token")
                .asText();
        Http other = Http.api(plain);
        assertThat(other.get(path).status()).isEqualTo(200);
        assertThat(other.send("POST", path, "{\"name\":\"x\"}").code()).isEqualTo("pat_database_query_forbidden");
        assertThat(other.send("DELETE", path + "/x").code()).isEqualTo("pat_database_query_forbidden");
        assertThat(ADMIN.get("/v1/projects/zzzzzzzz/storage/s3-keys").code()).isEqualTo("project_not_found");
        assertThat(create("/v1/projects/zzzzzzzz/storage/s3-keys", "x").code()).isEqualTo("project_not_found");
        assertThat(ADMIN.send("POST", path, "{}").code()).isEqualTo("invalid_body");
        assertThat(create(path, "x".repeat(101)).code()).isEqualTo("invalid_body");
    }

    @Test
    void theirNumberIsBounded() {
        for (int i = 0; i < 20; i++) {
            assertThat(create(path, "key " + i).status()).isEqualTo(201);
        }
        assertThat(create(path, "one more").code()).isEqualTo("s3_key_limit_reached");
        assertThat(ADMIN.get(path).json()).hasSize(20);
    }
}

package svc.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/**
 * The gateway in front of Storage: credentials come before bodies, and every answer has CORS headers and a request id. The
 * projects here have no database; what the service does with one is tested in its module, and by the client in e2e.
 */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class FilesBehindTheGatewayTest {
    private final ProjectForTests project = ProjectForTests.create("files");
    private final Http keyed = project.http().with("apikey", project.anonKey());

    private static void isComplete(Http.Answer answer, int status) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.header("access-control-allow-origin")).hasValue("*");
        assertThat(answer.header("x-request-id")).isPresent();
        assertThat(answer.header("content-type").orElse("")).startsWith("application/json");
    }

    @Test
    void withoutAKeyTheClientReadsItsOwnWords() {
        Http.Answer refused = project.http().get("/storage/v1/bucket");
        isComplete(refused, 400);
        assertThat(refused.json().get("message").asText()).isEqualTo("Invalid Compact JWS");
        // More than any body that is collected: it is refused before it is read.
        isComplete(project.http().send("POST", "/storage/v1/object/b/f", "x".repeat(200 << 10)), 400);
    }

    @Test
    void withoutTheDatabaseTheAnswerNamesIt() {
        for (String path :
                new String[] {"/storage/v1/bucket", "/storage/v1/object/b/f", "/storage/v1/object/info/b/f"}) {
            Http.Answer failed = keyed.get(path);
            isComplete(failed, 503);
            assertThat(failed.json().get("error").asText()).isEqualTo("DatabaseUnavailable");
            assertThat(failed.json().get("request_id").asText())
                    .isEqualTo(failed.header("x-request-id").orElseThrow());
        }
        isComplete(keyed.send("POST", "/storage/v1/object/b/f", "x".repeat(200 << 10)), 503);
        isComplete(project.http().get("/storage/v1/object/public/b/f"), 503);
    }

    @Test
    void aForgedLinkIsRefusedWithoutTheDatabase() {
        Http.Answer refused = project.http().get("/storage/v1/object/sign/b/f?token=a.b.c");
        isComplete(refused, 400);
        assertThat(refused.json().get("error").asText()).isEqualTo("InvalidJWT");
        isComplete(project.http().send("PUT", "/storage/v1/object/upload/sign/b/f?token=a.b.c", "x"), 400);
    }

    /** The signature is verified before the database is asked or a body is read. */
    @Test
    void theS3ProtocolNeedsASignatureInsteadOfAKey() {
        for (Http client : new Http[] {project.http(), keyed}) {
            Http.Answer refused = client.get("/storage/v1/s3/b/f");
            assertThat(refused.status()).as(refused.toString()).isEqualTo(403);
            assertThat(refused.header("content-type")).hasValue("application/xml");
            assertThat(refused.header("access-control-allow-origin")).hasValue("*");
            assertThat(refused.text())
                    .contains("<Code>AccessDenied</Code>")
                    .contains("<RequestId>" + refused.header("x-request-id").orElseThrow() + "</RequestId>");
        }
        assertThat(project.http()
                        .send("PUT", "/storage/v1/s3/b/f", "x".repeat(200 << 10))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void resumableUploadsNeedAKeyOrASignature() {
        Http.Answer options = project.http().send("OPTIONS", "/storage/v1/upload/resumable", "");
        assertThat(options.status()).isEqualTo(204);
        assertThat(options.header("tus-version")).hasValue("1.0.0");
        assertThat(options.header("access-control-expose-headers").orElse(""))
                .contains("location", "upload-offset", "upload-length", "upload-metadata", "tus-extension");
        isComplete(project.http().send("POST", "/storage/v1/upload/resumable", "x".repeat(200 << 10)), 400);
        Http tus = project.http().with("Tus-Resumable", "1.0.0");
        Http.Answer unsigned = tus.with("Upload-Length", "1")
                .with("Upload-Metadata", "bucketName Yg==,objectName eA==")
                .send("POST", "/storage/v1/upload/resumable/sign", "");
        // The database is asked for the bucket first, and is not there.
        assertThat(unsigned.status()).isEqualTo(503);
        assertThat(keyed.send("PATCH", "/storage/v1/upload/resumable/x", "x").status())
                .isEqualTo(412);
    }

    @Test
    void whatIsNotBuiltSaysSo() {
        for (String path : new String[] {"vector/x", "iceberg/x"}) {
            Http.Answer refused = keyed.get("/storage/v1/" + path);
            isComplete(refused, 501);
            assertThat(refused.json().get("code").asText()).isEqualTo("not_implemented");
        }
        isComplete(keyed.get("/storage/v1/elsewhere"), 404);
    }

    /** As upstream: what asks for it has no key. */
    @Test
    void theStateOfTheServiceNeedsNoKey() {
        for (String path : new String[] {"status", "version", "health"}) {
            isComplete(keyed.get("/storage/v1/" + path), 200);
            isComplete(project.http().get("/storage/v1/" + path), 200);
        }
        isComplete(project.http().get("/storage/v1/statuses"), 400);
    }
}

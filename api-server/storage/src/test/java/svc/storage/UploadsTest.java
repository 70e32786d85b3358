package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.BOB;
import static svc.storage.StorageForTests.SERVICE;

import java.io.ByteArrayInputStream;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.storage.StorageHttp.Answer;

/** Files are stored as their sender declares them, within the limits of bucket and project. */
class UploadsTest {
    private static final String RLS = "403 Unauthorized: new row violates row-level security policy";

    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        storage.project("one");
        storage.bucket("one", "b", false);
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    @Test
    void aRawBodyIsStoredWithWhatItsHeadersDeclare() {
        String metadata = Base64.getEncoder().encodeToString("{\"color\":\"blue\"}".getBytes(StandardCharsets.UTF_8));
        Answer made = storage.upload(
                "one",
                "b/raw/file.txt",
                SERVICE,
                "hello",
                "content-type",
                "text/plain",
                "cache-control",
                "max-age=3600",
                "x-metadata",
                metadata);
        assertThat(made.status()).as(made.toString()).isEqualTo(200);
        assertThat(made.text("Key")).isEqualTo("b/raw/file.txt");
        assertThat(made.text("Id")).matches("[0-9a-f-]{36}");

        Answer read = storage.get("one", "/object/b/raw/file.txt", SERVICE);
        assertThat(read.body()).isEqualTo("hello");
        assertThat(read.header("content-type")).isEqualTo("text/plain");
        assertThat(read.header("cache-control")).isEqualTo("max-age=3600");
        assertThat(read.header("etag")).isEqualTo("\"5d41402abc4b2a76b9719d911017c592\"");

        Answer info = storage.get("one", "/object/info/b/raw/file.txt", SERVICE);
        assertThat(info.json().path("metadata").toString()).isEqualTo("{\"color\":\"blue\"}");
        assertThat(info.json().path("size").asLong()).isEqualTo(5);
        assertThat(info.text("content_type")).isEqualTo("text/plain");
        assertThat(info.text("etag")).isEqualTo(read.header("etag"));
    }

    @Test
    void aFormIsStoredWithItsFields() {
        String form = "--x\r\nContent-Disposition: form-data; name=\"cacheControl\"\r\n\r\n60\r\n"
                + "--x\r\nContent-Disposition: form-data; name=\"metadata\"\r\n\r\n{\"a\":1}\r\n"
                + "--x\r\nContent-Disposition: form-data; name=\"\"; filename=\"blob\"\r\n"
                + "Content-Type: image/png\r\n\r\nPNG\r\n--x--\r\n";
        Answer made =
                storage.upload("one", "b/form.png", SERVICE, form, "content-type", "multipart/form-data; boundary=x");
        assertThat(made.status()).as(made.toString()).isEqualTo(200);

        Answer read = storage.get("one", "/object/b/form.png", SERVICE);
        assertThat(read.body()).isEqualTo("PNG");
        assertThat(read.header("content-type")).isEqualTo("image/png");
        assertThat(read.header("cache-control")).isEqualTo("max-age=60");
        assertThat(storage.get("one", "/object/info/b/form.png", SERVICE)
                        .json()
                        .path("metadata")
                        .toString())
                .isEqualTo("{\"a\":1}");
    }

    @Test
    void fieldsBehindTheFileCountToo() {
        String form = "--x\r\nContent-Disposition: form-data; name=\"\"; filename=\"blob\"\r\n\r\nbytes\r\n"
                + "--x\r\nContent-Disposition: form-data; name=\"cacheControl\"\r\n\r\n7\r\n--x--\r\n";
        assertThat(storage.upload("one", "b/late.bin", SERVICE, form, "content-type", "multipart/form-data; boundary=x")
                        .status())
                .isEqualTo(200);
        Answer read = storage.get("one", "/object/b/late.bin", SERVICE);
        assertThat(read.header("cache-control")).isEqualTo("max-age=7");
        assertThat(read.header("content-type")).isEqualTo("application/octet-stream");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--x--\r\n",
                "nonsense",
                "",
                "--x\r\nContent-Disposition: form-data; name=\"\"; filename=\"f\"\r\n\r\ncut"
            })
    void otherFormsAreRefusedAndLeaveNothing(String form) {
        Answer refused =
                storage.upload("one", "b/none.bin", SERVICE, form, "content-type", "multipart/form-data; boundary=x");
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(storage.get("one", "/object/b/none.bin", SERVICE).refusal())
                .isEqualTo("404 not_found: Object not found");
    }

    @Test
    void aFileOfUnknownLengthIsStoredInParts() {
        byte[] bytes = new byte[13 << 20];
        new Random(1).nextBytes(bytes);
        Answer made = storage.send(
                "one",
                "POST",
                "/object/b/large.bin",
                SERVICE,
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes)));
        assertThat(made.status()).as(made.toString()).isEqualTo(200);

        Answer read = storage.get("one", "/object/b/large.bin", SERVICE);
        assertThat(read.bytes()).isEqualTo(bytes);
        assertThat(read.header("content-length")).isEqualTo(Integer.toString(bytes.length));
        await().untilAsserted(() -> assertThat(storage.budget().held()).isZero());
    }

    @Test
    void anExistingFileIsReplacedOnlyOnDemand() {
        storage.upload("one", "b/again", SERVICE, "first");
        Answer again = storage.upload("one", "b/again", SERVICE, "second");
        assertThat(again.status()).isEqualTo(400);
        assertThat(again.refusal()).isEqualTo("409 Duplicate: The resource already exists");
        assertThat(storage.get("one", "/object/b/again", SERVICE).body()).isEqualTo("first");

        assertThat(storage.upload("one", "b/again", SERVICE, "third", "x-upsert", "true")
                        .status())
                .isEqualTo(200);
        assertThat(storage.get("one", "/object/b/again", SERVICE).body()).isEqualTo("third");
        assertThat(storage.call("one", "PUT", "/object/b/again", SERVICE, "fourth")
                        .status())
                .isEqualTo(200);
        assertThat(storage.get("one", "/object/b/again", SERVICE).body()).isEqualTo("fourth");
        await().untilAsserted(() -> assertThat(storage.contents("one")).isEqualTo(storage.named("one")));
    }

    @Test
    void policiesDecideWhoUploadsWhat() {
        storage.project("rls");
        storage.bucket("rls", "b", false);
        assertThat(storage.upload("rls", "b/" + ALICE + "/f", ALICE, "x").refusal())
                .isEqualTo(RLS);

        storage.policy(
                "rls",
                "FOR INSERT TO PUBLIC WITH CHECK (bucket_id = 'b' AND (STORAGE.foldername(name))[1] = AUTH.uid()::text"
                        + " AND STORAGE.operation() LIKE 'storage.object.%')");
        assertThat(storage.upload("rls", "b/" + ALICE + "/f", ALICE, "x").status())
                .isEqualTo(200);
        assertThat(storage.upload("rls", "b/" + ALICE + "/g", BOB, "x").refusal())
                .isEqualTo(RLS);
        assertThat(storage.upload("rls", "b/" + ALICE + "/g", "", "x").refusal())
                .isEqualTo(RLS);
        assertThat(storage.upload("rls", "b/" + ALICE + "/f", ALICE, "x").refusal())
                .isEqualTo("409 Duplicate: The resource already exists");
        // Replacing needs to read and to change as well.
        assertThat(storage.upload("rls", "b/" + ALICE + "/f", ALICE, "y", "x-upsert", "true")
                        .refusal())
                .isEqualTo(RLS);
        storage.policy("rls", "FOR SELECT TO PUBLIC USING (owner_id = AUTH.uid()::text)");
        storage.policy("rls", "FOR UPDATE TO PUBLIC USING (owner_id = AUTH.uid()::text)");
        assertThat(storage.upload("rls", "b/" + ALICE + "/f", ALICE, "y", "x-upsert", "true")
                        .status())
                .isEqualTo(200);
        assertThat(storage.get("rls", "/object/b/" + ALICE + "/f", ALICE).body())
                .isEqualTo("y");
        assertThat(storage.get("rls", "/object/b/" + ALICE + "/f", BOB).refusal())
                .isEqualTo("404 not_found: Object not found");
        await().untilAsserted(() -> assertThat(storage.contents("rls")).isEqualTo(storage.named("rls")));
    }

    @Test
    void aTypeThatNoHeaderCanCarryIsRefused() {
        String form =
                "--x\r\nContent-Disposition: form-data; name=\"contentType\"\r\n\r\ntext/plain;\r\nset-cookie: a=b\r\n"
                        + "--x\r\nContent-Disposition: form-data; name=\"\"; filename=\"f\"\r\n\r\nx\r\n--x--\r\n";
        assertThat(storage.upload("one", "b/header", SERVICE, form, "content-type", "multipart/form-data; boundary=x")
                        .text("error"))
                .isEqualTo("invalid_mime_type");
        storage.upload("one", "b/odd", SERVICE, "x");
        storage.projects()
                .asOperator(
                        "UPDATE " + storage.tenant("one").names().storage().sql()
                                + ".objects SET metadata = metadata || '{\"mimetype\": \"a\\r\\nb\", \"eTag\": \"ü\"}' WHERE name = 'odd'");
        Answer read = storage.get("one", "/object/b/odd", SERVICE);
        assertThat(read.body()).isEqualTo("x");
        assertThat(read.header("content-type")).isEqualTo("application/octet-stream");
    }

    @Test
    void aBucketMustExist() {
        assertThat(storage.upload("one", "nowhere/f", SERVICE, "x").refusal())
                .isEqualTo("404 Bucket not found: Bucket not found");
    }

    @Test
    void namesOfAnyScriptAreOneWhateverTheirNormalization() {
        String composed =
                URLEncoder.encode("Grüße/日本.txt", StandardCharsets.UTF_8).replace("%2F", "/");
        String decomposed =
                URLEncoder.encode("Gru\u0308ße/日本.txt", StandardCharsets.UTF_8).replace("%2F", "/");
        assertThat(storage.upload("one", "b/" + composed, SERVICE, "x").text("Key"))
                .isEqualTo("b/Grüße/日本.txt");
        assertThat(storage.get("one", "/object/b/" + decomposed, SERVICE).body())
                .isEqualTo("x");
        assertThat(storage.upload("one", "b/" + decomposed, SERVICE, "x").refusal())
                .startsWith("409 Duplicate");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a//b", "a/", "a%00b", "a%ff", "a%2e%2e%2f..", "%2e%2e/b", "a%5cb", "a%0ab", "a%7b", "a%23"})
    void otherNamesAreRefused(String name) {
        Answer refused = storage.upload("one", "b/" + name, SERVICE, "x");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("error")).isEqualTo("InvalidKey");
    }

    @Test
    void aNameHasAtMost1024Bytes() {
        assertThat(storage.upload("one", "b/" + "x".repeat(1024), SERVICE, "x").status())
                .isEqualTo(200);
        assertThat(storage.upload("one", "b/" + "x".repeat(1025), SERVICE, "x").text("error"))
                .isEqualTo("InvalidKey");
    }
}

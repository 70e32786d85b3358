package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.SERVICE;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.storage.StorageHttp.Answer;

/** What users say of their files is asked of policies, stored as it was asked, and can be read again. */
class UserMetadataTest {
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
    void aFileWithoutMetadataOfItsUserHasNoneOfIt() {
        storage.upload("one", "b/plain", SERVICE, "x");
        assertThat(storage.get("one", "/object/info/b/plain", SERVICE)
                        .json()
                        .path("metadata")
                        .toString())
                .isEqualTo("{}");
        storage.bucket("one", "open", true);
        storage.upload("one", "open/plain", SERVICE, "x");
        for (String path : new String[] {"b/plain", "authenticated/b/plain", "public/open/plain"}) {
            Answer head = storage.call("one", "HEAD", "/object/info/" + path, SERVICE);
            assertThat(head.status()).as(path).isEqualTo(200);
            assertThat(head.bytes()).isEmpty();
        }
        assertThat(storage.call("one", "HEAD", "/object/info/b/none", SERVICE).status())
                .isEqualTo(400);
    }

    /** What is stored is what the policies were asked about, wherever in the form it stood. */
    @Test
    void policiesAreAskedAboutFieldsBehindTheFile() {
        storage.project("behind");
        storage.bucket("behind", "b", false);
        storage.policy(
                "behind",
                "FOR INSERT TO PUBLIC WITH CHECK (user_metadata->>'approved' IS DISTINCT FROM 'true'"
                        + " AND metadata->>'cacheControl' IS DISTINCT FROM 'max-age=9')");
        String file = "--x\r\nContent-Disposition: form-data; name=\"\"; filename=\"f\"\r\n\r\nbytes\r\n";
        String field = "--x\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n";
        String type = "multipart/form-data; boundary=x";
        String approved = field.formatted("metadata", "{\"approved\":true}");
        for (String form : new String[] {
            approved + file, file + approved, file + field.formatted("cacheControl", "9"), file + approved + approved
        }) {
            assertThat(storage.upload("behind", "b/f", ALICE, form + "--x--\r\n", "content-type", type)
                            .refusal())
                    .isEqualTo("403 Unauthorized: new row violates row-level security policy");
        }
        String other = file + field.formatted("metadata", "{\"approved\":false}") + "--x--\r\n";
        assertThat(storage.upload("behind", "b/f", ALICE, other, "content-type", type)
                        .status())
                .isEqualTo(200);
        await().untilAsserted(() -> assertThat(storage.contents("behind")).isEqualTo(storage.named("behind")));
    }

    /** A number that becomes infinite, and a depth at which no answer can be written. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1e1001}", "{\"a\":[-1e400]}", "{\"a\":DEEP}"})
    void metadataThatCannotBeReadAgainIsRefused(String metadata) {
        String json = metadata.replace("DEEP", "[".repeat(998) + "]".repeat(998));
        String base64 = Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
        String form = "--x\r\nContent-Disposition: form-data; name=\"metadata\"\r\n\r\n" + json
                + "\r\n--x\r\nContent-Disposition: form-data; name=\"\"; filename=\"f\"\r\n\r\nx\r\n--x--\r\n";
        storage.upload("one", "b/readable", SERVICE, "x");
        for (Answer refused : new Answer[] {
            storage.upload("one", "b/unreadable", SERVICE, "x", "x-metadata", base64),
            storage.upload("one", "b/unreadable", SERVICE, form, "content-type", "multipart/form-data; boundary=x"),
            TusClient.of(storage, "one", SERVICE)
                    .create(
                            "unreadable",
                            1,
                            "Upload-Metadata",
                            TusClient.metadata("bucketName", "b", "objectName", "unreadable", "metadata", json)),
            storage.call(
                    "one",
                    "POST",
                    "/object/copy",
                    SERVICE,
                    "{\"bucketId\":\"b\",\"sourceKey\":\"readable\",\"destinationKey\":\"unreadable\",\"copyMetadata\":false}",
                    "x-metadata",
                    base64)
        }) {
            assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
            assertThat(refused.text("message")).contains("100 levels").contains("number");
        }
        assertThat(storage.get("one", "/object/b/unreadable", SERVICE).refusal())
                .isEqualTo("404 not_found: Object not found");
    }

    @Test
    void metadataOfAHundredLevelsIsReadAgain() {
        String json = "{\"a\":" + "[".repeat(99) + "1.7e308" + "]".repeat(99) + "}";
        String base64 = Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
        assertThat(storage.upload("one", "b/deep", SERVICE, "x", "x-metadata", base64)
                        .status())
                .isEqualTo(200);
        assertThat(storage.get("one", "/object/info/b/deep", SERVICE).status()).isEqualTo(200);
        assertThat(storage.call("one", "DELETE", "/object/b/deep", SERVICE).status())
                .isEqualTo(200);
    }

    @Test
    void metadataThatSqlHasMadeTooDeepIsNoFailureOfTheService() {
        storage.upload("one", "b/sql", SERVICE, "x");
        storage.projects()
                .asOperator("UPDATE " + storage.tenant("one").names().storage().sql()
                        + ".objects SET user_metadata = ('{\"a\":' || repeat('[', 1500) || repeat(']', 1500) || '}')::jsonb"
                        + " WHERE name = 'sql'");
        Answer refused = storage.get("one", "/object/info/b/sql", SERVICE);
        assertThat(refused.refusal()).startsWith("413 ").contains("too deep");
    }
}

package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.BOB;
import static svc.storage.StorageForTests.SERVICE;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.storage.StorageHttp.Answer;

/** Files are moved, copied and removed as far as the caller may, and nothing of them is left. */
class ChangesTest {
    private static final String NOT_FOUND = "404 not_found: Object not found";

    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        storage.project("one");
        storage.bucket("one", "b", false);
        storage.call("one", "POST", "/bucket", SERVICE, "{\"name\":\"images\",\"allowed_mime_types\":[\"image/*\"]}");
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private static Answer change(String what, String bearer, String from, String to, String more) {
        return storage.call(
                "one",
                "POST",
                "/object/" + what,
                bearer,
                "{\"bucketId\":\"b\",\"sourceKey\":\"" + from + "\",\"destinationKey\":\"" + to + "\"" + more + "}");
    }

    @Test
    void aMoveChangesTheRowAlone() {
        storage.upload("one", "b/from", SERVICE, "x", "content-type", "text/plain");
        String version = storage.get("one", "/object/info/b/from", SERVICE).text("version");
        Answer moved = change("move", SERVICE, "from", "to/here", "");
        assertThat(moved.text("message")).isEqualTo("Successfully moved");
        assertThat(storage.get("one", "/object/b/from", SERVICE).refusal()).isEqualTo(NOT_FOUND);
        assertThat(storage.get("one", "/object/b/to/here", SERVICE).body()).isEqualTo("x");
        assertThat(storage.get("one", "/object/info/b/to/here", SERVICE).text("version"))
                .isEqualTo(version);

        storage.upload("one", "b/taken", SERVICE, "y");
        assertThat(change("move", SERVICE, "taken", "to/here", "").refusal())
                .isEqualTo("409 Duplicate: The resource already exists");
        assertThat(change("move", SERVICE, "none", "x", "").refusal()).isEqualTo(NOT_FOUND);
        assertThat(change("move", SERVICE, "taken", "a//b", "").text("error")).isEqualTo("InvalidKey");
        assertThat(change("move", SERVICE, "taken", "x", ",\"destinationBucket\":\"none\"")
                        .refusal())
                .isEqualTo("404 Bucket not found: Bucket not found");
        assertThat(change("move", SERVICE, "taken", "x", ",\"destinationBucket\":\"images\"")
                        .refusal())
                .startsWith("415 invalid_mime_type");
    }

    @Test
    void aCopyHasBytesOfItsOwn() {
        storage.upload("one", "b/original", SERVICE, "x", "content-type", "image/png", "cache-control", "max-age=1");
        Answer copied = change("copy", SERVICE, "original", "copy", ",\"destinationBucket\":\"images\"");
        assertThat(copied.status()).as(copied.toString()).isEqualTo(200);
        assertThat(copied.text("Key")).isEqualTo("images/copy");
        storage.call("one", "DELETE", "/object/b/original", SERVICE);
        Answer read = storage.get("one", "/object/images/copy", SERVICE);
        assertThat(read.body()).isEqualTo("x");
        assertThat(read.header("content-type")).isEqualTo("image/png");
        assertThat(read.header("cache-control")).isEqualTo("max-age=1");
        assertThat(change("copy", SERVICE, "original", "x", "").refusal()).isEqualTo(NOT_FOUND);
    }

    @Test
    void aRemovalAnswersWithWhatIsGone() {
        for (int i = 0; i < 3; i++) {
            storage.upload("one", "b/r" + i, SERVICE, "x");
        }
        Answer gone = storage.call("one", "DELETE", "/object/b", SERVICE, "{\"prefixes\":[\"r0\",\"none\",\"r2\"]}");
        assertThat(gone.json()).hasSize(2);
        assertThat(gone.json().get(0).path("bucket_id").asText()).isEqualTo("b");
        assertThat(storage.get("one", "/object/b/r1", SERVICE).body()).isEqualTo("x");
        assertThat(storage.call("one", "DELETE", "/object/b/r1", SERVICE).text("message"))
                .isEqualTo("Successfully deleted");
        assertThat(storage.call("one", "DELETE", "/object/b/r1", SERVICE).refusal())
                .isEqualTo(NOT_FOUND);
        await().untilAsserted(() -> assertThat(storage.contents("one")).isEqualTo(storage.named("one")));
    }

    @Test
    void aThousandNamesAreRemovedAtOnce() {
        String names = IntStream.range(0, 1000).mapToObj(i -> "\"n" + i + "\"").collect(Collectors.joining(","));
        assertThat(storage.call("one", "DELETE", "/object/b", SERVICE, "{\"prefixes\":[" + names + "]}")
                        .status())
                .isEqualTo(200);
        assertThat(storage.call("one", "DELETE", "/object/b", SERVICE, "{\"prefixes\":[" + names + ",\"x\"]}")
                        .status())
                .isEqualTo(400);
        assertThat(storage.call("one", "DELETE", "/object/b", SERVICE, "{\"prefixes\":[]}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void policiesDecideWhoChangesWhat() {
        storage.project("rls");
        storage.bucket("rls", "b", false);
        storage.policy("rls", "FOR INSERT TO PUBLIC WITH CHECK (AUTH.uid() IS NOT NULL)");
        storage.policy("rls", "FOR SELECT TO PUBLIC USING (true)");
        storage.policy("rls", "FOR DELETE TO PUBLIC USING (owner_id = AUTH.uid()::text)");
        storage.upload("rls", "b/alices", ALICE, "x");

        assertThat(storage.call("rls", "DELETE", "/object/b/alices", BOB).refusal())
                .isEqualTo(NOT_FOUND);
        assertThat(storage.call("rls", "DELETE", "/object/b", BOB, "{\"prefixes\":[\"alices\"]}")
                        .body())
                .isEqualTo("[]");
        assertThat(storage.call(
                                "rls",
                                "POST",
                                "/object/move",
                                BOB,
                                "{\"bucketId\":\"b\",\"sourceKey\":\"alices\",\"destinationKey\":\"bobs\"}")
                        .refusal())
                .isEqualTo(NOT_FOUND);
        assertThat(storage.get("rls", "/object/b/alices", BOB).body()).isEqualTo("x");
        assertThat(storage.call("rls", "DELETE", "/object/b", ALICE, "{\"prefixes\":[\"alices\"]}")
                        .json())
                .hasSize(1);
    }

    @Test
    void sqlOfTheTenantDeletesNoFile() {
        storage.project("sql");
        storage.bucket("sql", "b", false);
        storage.upload("sql", "b/f", SERVICE, "x");
        String objects = storage.tenant("sql").names().storage().sql() + ".objects";
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> storage.projects().asOperator("DELETE FROM " + objects))
                .hasMessageContaining("Direct deletion from storage tables is not allowed");
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> storage.projects().asOwner(storage.tenant("sql"), "DELETE FROM " + objects))
                .hasMessageContaining("permission denied");
    }
}

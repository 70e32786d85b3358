package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.BOB;
import static svc.storage.StorageForTests.SERVICE;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.crds.project.service.StorageSpec;
import svc.storage.StorageHttp.Answer;

/** Whole folders are deleted, moved and copied in one call, as the caller's policies allow for each file. */
class FoldersTest {
    private static final int MAX_FILES = 10_000;

    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        storage.project("one");
        storage.project("two");
        storage.bucket("two", "b", false);
        storage.bucket("one", "b", false);
        storage.bucket("one", "other", false);
        storage.bucket("one", "many", false);
        storage.call(
                "one",
                "POST",
                "/bucket",
                SERVICE,
                "{\"name\":\"small\",\"file_size_limit\":3,\"allowed_mime_types\":[\"text/*\"]}");
        storage.policy("one", "FOR SELECT TO PUBLIC USING (true)");
        storage.policy(
                "one", "FOR INSERT TO PUBLIC WITH CHECK (owner_id = AUTH.uid()::text AND name NOT LIKE 'shut/%')");
        storage.policy(
                "one", "FOR UPDATE TO PUBLIC USING (owner_id = AUTH.uid()::text) WITH CHECK (name NOT LIKE 'shut/%')");
        storage.policy("one", "FOR DELETE TO PUBLIC USING (owner_id = AUTH.uid()::text)");
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private static void files(String ref, String bearer, String... paths) {
        for (String path : paths) {
            Answer answer = storage.upload(ref, path, bearer, path, "Content-Type", "text/plain");
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        }
    }

    private static Answer delete(String ref, String bearer, String bucket, String folder) {
        return storage.call(
                ref, "DELETE", "/object/" + bucket, bearer, "{\"prefixes\":[\"" + folder + "\"],\"recursive\":true}");
    }

    private static Answer change(String what, String bearer, String from, String to, String... headers) {
        String[] source = from.split(":");
        String[] target = to.split(":");
        return storage.call(
                "one",
                "POST",
                "/object/" + what,
                bearer,
                "{\"bucketId\":\"" + source[0] + "\",\"sourceKey\":\"" + source[1] + "\",\"destinationBucket\":\""
                        + target[0] + "\",\"destinationKey\":\"" + target[1] + "\",\"recursive\":true}",
                headers);
    }

    private static TreeSet<String> names(String ref, String bucket, String prefix) {
        String all = storage.projects()
                .ask("SELECT coalesce(string_agg(name, ',' ), '') FROM "
                        + storage.tenant(ref).names().storage().sql() + ".objects WHERE bucket_id = '" + bucket
                        + "' AND starts_with(name, '" + prefix + "')");
        return all.isEmpty() ? new TreeSet<>() : new TreeSet<>(List.of(all.split(",")));
    }

    @Test
    void aFolderIsDeletedWithAllThatLiesInIt() {
        files("one", ALICE, "b/del/1", "b/del/deep/er/2", "b/del.txt", "b/del0");
        files("two", SERVICE, "b/del/1");

        Answer without = storage.call("one", "DELETE", "/object/b", ALICE, "{\"prefixes\":[\"del\",\"del/\"]}");
        assertThat(without.body()).as("upstream's call deletes names").isEqualTo("[]");

        Answer gone = delete("one", ALICE, "b", "del");
        assertThat(gone.body())
                .isEqualTo("{\"message\":\"Successfully deleted\",\"deleted\":2,\"skipped\":0,\"truncated\":false}");
        assertThat(names("one", "b", "del")).containsExactly("del.txt", "del0");
        assertThat(names("two", "b", "del")).containsExactly("del/1");
        assertThat(delete("one", ALICE, "b", "del/").json().path("deleted").asInt())
                .isZero();
        await().until(storage::idle);
        assertThat(storage.contents("two")).isEqualTo(storage.named("two"));
    }

    @Test
    void policiesDecideAboutEveryFile() {
        files("one", ALICE, "b/mixed/a", "b/mixed/c");
        files("one", BOB, "b/mixed/b");

        Answer moved = change("move", ALICE, "b:mixed", "b:moved");
        assertThat(moved.body())
                .isEqualTo("{\"message\":\"Successfully moved\",\"moved\":2,\"skipped\":1,\"truncated\":false}");
        assertThat(names("one", "b", "mixed")).containsExactly("mixed/b");
        assertThat(names("one", "b", "moved")).containsExactly("moved/a", "moved/c");
        assertThat(storage.get("one", "/object/b/moved/a", ALICE).body()).isEqualTo("b/mixed/a");

        Answer gone = delete("one", BOB, "b", "moved");
        assertThat(gone.json().path("deleted").asInt()).isZero();
        assertThat(gone.json().path("skipped").asInt()).isEqualTo(2);
        assertThat(names("one", "b", "moved")).hasSize(2);

        for (String what : List.of("move", "copy")) {
            Answer refused = change(what, ALICE, "b:moved", "b:shut");
            assertThat(refused.refusal()).isEqualTo("403 Unauthorized: new row violates row-level security policy");
        }
        assertThat(names("one", "b", "shut")).isEmpty();
        assertThat(names("one", "b", "moved")).hasSize(2);
    }

    @Test
    void aCopyHasBytesOfItsOwnAndTheCallersOwnership() {
        files("one", BOB, "b/source/1", "b/source/deep/2");

        Answer copied = change("copy", ALICE, "b:source/", "other:copies/here");
        assertThat(copied.body())
                .isEqualTo("{\"message\":\"Successfully copied\",\"copied\":2,\"skipped\":0,\"truncated\":false}");
        assertThat(delete("one", BOB, "b", "source").json().path("deleted").asInt())
                .isEqualTo(2);
        await().until(storage::idle);
        Answer read = storage.get("one", "/object/other/copies/here/deep/2", ALICE);
        assertThat(read.body()).isEqualTo("b/source/deep/2");
        assertThat(read.header("content-type")).startsWith("text/plain");
        assertThat(delete("one", ALICE, "other", "copies")
                        .json()
                        .path("deleted")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void whatIsThereAlreadyEndsTheCallAndNothingIsLeftBehind() {
        files("one", ALICE, "b/first/1", "b/first/2", "b/second/2");

        assertThat(change("move", ALICE, "b:first", "b:second").refusal())
                .isEqualTo("409 Duplicate: The resource already exists");
        assertThat(change("copy", ALICE, "b:first", "b:second").refusal())
                .isEqualTo("409 Duplicate: The resource already exists");
        assertThat(names("one", "b", "first")).containsExactly("first/1", "first/2");
        assertThat(names("one", "b", "second")).containsExactly("second/2");

        assertThat(change("copy", ALICE, "b:first", "b:second", "x-upsert", "true")
                        .json()
                        .path("copied")
                        .asInt())
                .isEqualTo(2);
        assertThat(storage.get("one", "/object/b/second/2", ALICE).body()).isEqualTo("b/first/2");
        await().until(storage::idle);
        assertThat(storage.contents("one")).isEqualTo(storage.named("one"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "b:limits | small:x | 413 Payload too large: The object exceeded the maximum allowed size",
                "b:kinds | small:x | 415 invalid_mime_type: mime type image/png is not supported",
                "b:limits | b:limits/in | 400 Error: One of sourceKey and destinationKey lies in the other",
                "b:limits/in | b:limits | 400 Error: One of sourceKey and destinationKey lies in the other",
                "b:limits | b:limits/ | 400 Error: One of sourceKey and destinationKey lies in the other",
                "b:limits | nowhere:x | 404 Bucket not found: Bucket not found",
                "nowhere:limits | b:x | 404 Bucket not found: Bucket not found",
                "b:nothing | b:x | 404 not_found: Object not found",
                "b:limits | b:../x | 400 InvalidKey: Invalid key: ../x",
                "b:/ | b:x | 400 InvalidKey: Invalid key:",
                "b:limits | b:a//b | 400 InvalidKey: Invalid key: a//b",
            })
    void whatCannotBeIsRefusedWhole(String from, String to, String refusal) {
        storage.upload("one", "b/limits/1", ALICE, "four", "Content-Type", "text/plain", "x-upsert", "true");
        storage.upload("one", "b/kinds/1", ALICE, "p", "Content-Type", "image/png", "x-upsert", "true");
        for (String what : List.of("move", "copy")) {
            assertThat(change(what, ALICE, from, to).refusal().strip()).isEqualTo(refusal);
        }
        assertThat(names("one", "b", "limits")).containsExactly("limits/1");
        assertThat(names("one", "small", "")).isEmpty();
    }

    @Test
    void aNameThatBecomesTooLongIsRefused() {
        String folder = "n".repeat(1000);
        files("one", ALICE, "b/long/" + "x".repeat(30));
        for (String what : List.of("move", "copy")) {
            assertThat(change(what, ALICE, "b:long", "b:" + folder).refusal()).startsWith("400 InvalidKey");
        }
        assertThat(names("one", "b", "long")).hasSize(1);
    }

    @Test
    void aBodyThatIsNotMeantForItIsRefused() {
        assertThat(storage.call("one", "DELETE", "/object/b", ALICE, "{\"prefixes\":[\"x\"],\"recursive\":\"yes\"}")
                        .refusal())
                .isEqualTo("400 Error: body/recursive must be boolean");
        assertThat(delete("one", ALICE, "b", "").refusal()).startsWith("400 InvalidKey");
        assertThat(delete("one", ALICE, "b", "a\\u0000b").refusal()).startsWith("400 InvalidKey");
        assertThat(storage.call("one", "DELETE", "/object/b", ALICE, "{\"prefixes\":[\"a\",\"b\"],\"recursive\":true}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void moreThanACallTakesIsContinuedAtTheCursor() {
        String schema = storage.tenant("one").names().storage().sql();
        storage.projects()
                .asOperator(
                        "INSERT INTO " + schema + ".objects (bucket_id, name, owner_id) SELECT 'many', 'big/' || i, '"
                                + BOB + "' FROM generate_series(1, " + (MAX_FILES + 5) + ") i");

        Answer moved = change("move", BOB, "many:big", "many:moved");
        assertThat(moved.json().path("moved").asInt()).isEqualTo(MAX_FILES);
        assertThat(moved.json().path("truncated").asBoolean()).isTrue();
        Answer rest = change("move", BOB, "many:big", "many:moved");
        assertThat(rest.json().path("moved").asInt()).isEqualTo(5);
        assertThat(rest.json().path("truncated").asBoolean()).isFalse();

        // What the caller may not delete is passed by, and does not hold it up.
        Answer none = delete("one", ALICE, "many", "moved");
        assertThat(none.json().path("skipped").asInt()).isEqualTo(MAX_FILES);
        Answer last = storage.call(
                "one",
                "DELETE",
                "/object/many",
                ALICE,
                "{\"prefixes\":[\"moved\"],\"recursive\":true,\"cursor\":\"" + none.text("cursor") + "\"}");
        assertThat(last.json().path("skipped").asInt()).isEqualTo(5);
        assertThat(last.json().path("truncated").asBoolean()).isFalse();
        assertThat(delete("one", BOB, "many", "moved").json().path("deleted").asInt())
                .isEqualTo(MAX_FILES);
        assertThat(names("one", "many", "moved")).hasSize(5);
    }

    @Test
    void theQuotaIsAskedBeforeTheFirstByte() {
        storage.project("full");
        storage.bucket("full", "b", false);
        byte[] half = new byte[600 << 10];
        storage.upload("full", "b/a/1", SERVICE, half);
        storage.serve(storage.tenant("full").withStorage(new StorageSpec(null, null, 1L, null, null)));

        Answer refused = storage.call(
                "full",
                "POST",
                "/object/copy",
                SERVICE,
                "{\"bucketId\":\"b\",\"sourceKey\":\"a\",\"destinationKey\":\"c\",\"recursive\":true}");
        assertThat(refused.text("code")).isEqualTo("QuotaExceeded");
        assertThat(storage.contents("full")).hasSize(1);
    }

    /** The store stops answering at any point: all of the copies are there, or none. */
    @Test
    void aStoreThatEndsInTheMiddleLeavesAllOrNothing() {
        storage.project("broken");
        storage.bucket("broken", "b", false);
        files("broken", SERVICE, "b/from/1", "b/from/2", "b/from/3");
        String body = "{\"bucketId\":\"b\",\"sourceKey\":\"from\",\"destinationKey\":\"to\",\"recursive\":true}";
        boolean ended = true;
        for (int point = 0; ended; point++) {
            assertThat(point).isLessThan(20);
            storage.store().stopAt(point);
            storage.call("broken", "POST", "/object/copy", SERVICE, body);
            await().until(storage::idle);
            ended = storage.store().restart();
            storage.sweep("broken");
            assertThat(names("broken", "b", "to").size())
                    .as("after point %d", point)
                    .isIn(0, 3);
            assertThat(storage.contents("broken")).isEqualTo(storage.named("broken"));
            delete("broken", SERVICE, "b", "to");
            await().until(storage::idle);
        }
    }
}

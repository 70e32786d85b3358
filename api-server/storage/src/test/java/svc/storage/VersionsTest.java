package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.SERVICE;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.project.service.StorageSpec;
import svc.database.name.DatabaseRole;
import svc.storage.StorageHttp.Answer;

/** In a bucket with versioning a file that is replaced or deleted can be had back, for as long as its versions are kept. */
class VersionsTest {
    private static final int KEPT = 10;

    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        for (String ref : List.of("one", "two")) {
            storage.project(ref);
            versioned(ref, "v");
        }
        storage.bucket("one", "plain", false);
        storage.policy("one", "TO PUBLIC USING (true) WITH CHECK (true)");
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private static void versioned(String ref, String bucket) {
        Answer made = storage.call(
                ref, "POST", "/bucket", SERVICE, "{\"name\":\"" + bucket + "\",\"versioning_status\":\"ENABLED\"}");
        assertThat(made.status()).as(made.toString()).isEqualTo(200);
    }

    private static void put(String path, String text) {
        Answer answer = storage.upload("one", path, ALICE, text, "x-upsert", "true", "Content-Type", "text/plain");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private static JsonNode versions(String path) {
        Answer answer = storage.get("one", "/versions/" + path, SERVICE);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json();
    }

    private static Answer restore(String path, String version) {
        return storage.call("one", "POST", "/versions/" + path, SERVICE, "{\"version\":\"" + version + "\"}");
    }

    private static String content(String path) {
        return storage.get("one", "/object/" + path, SERVICE).body();
    }

    /** Nothing is kept that nothing names, and all is there that something names. */
    private static void isReconciled() {
        await().until(storage::idle);
        storage.sweep("one");
        String all = storage.projects()
                .ask("SELECT coalesce(string_agg(version, ','), '') FROM (SELECT version FROM STORE.objects UNION ALL"
                                .replace(
                                        "STORE",
                                        storage.tenant("one").names().storage().sql())
                        + " SELECT version FROM "
                        + storage.tenant("one").names().storage().sql() + ".object_versions) a");
        assertThat(storage.contents("one")).containsExactlyInAnyOrder(all.split(","));
    }

    @Test
    void whatIsReplacedIsKeptAndCanBeHadBack() {
        put("v/a/file", "first");
        put("v/a/file", "second");
        put("v/a/file", "third");
        await().until(storage::idle);

        JsonNode kept = versions("v/a/file");
        assertThat(kept.size()).isEqualTo(2);
        assertThat(kept.at("/0/metadata/size").asLong()).isEqualTo("second".length());
        String first = kept.at("/1/version").asText();
        Answer read = storage.get("one", "/versions/v/a/file?version=" + first, SERVICE, "Range", "bytes=1-2");
        assertThat(read.status()).isEqualTo(206);
        assertThat(read.body()).isEqualTo("ir");

        Answer restored = restore("v/a/file", first);
        assertThat(restored.text("message")).as(restored.toString()).isEqualTo("Successfully restored");
        assertThat(content("v/a/file")).isEqualTo("first");
        assertThat(versions("v/a/file").size()).as("the third is a version now").isEqualTo(2);
        assertThat(restore("v/a/file", first).refusal()).isEqualTo("404 not_found: Object not found");
        isReconciled();
    }

    @Test
    void whatIsDeletedCanBeHadBackWhicheverWayItWasDeleted() {
        for (String name : List.of("one", "two", "deep/three", "moved")) {
            put("v/gone/" + name, name);
        }
        storage.call(
                "one",
                "POST",
                "/object/move",
                ALICE,
                "{\"bucketId\":\"v\",\"sourceKey\":\"gone/moved\",\"destinationKey\":\"gone/there\"}");
        storage.call("one", "DELETE", "/object/v/gone/one", ALICE);
        storage.call("one", "DELETE", "/object/v", ALICE, "{\"prefixes\":[\"gone/two\"]}");
        storage.call("one", "DELETE", "/object/v", ALICE, "{\"prefixes\":[\"gone\"],\"recursive\":true}");
        await().until(storage::idle);
        storage.sweep("one");

        List<String> deleted = new ArrayList<>();
        String after = "";
        for (JsonNode page = deleted(after); !page.isEmpty(); page = deleted(after)) {
            page.forEach(version -> deleted.add(version.path("name").asText()));
            after = deleted.getLast();
        }
        assertThat(deleted).containsExactly("gone/deep/three", "gone/one", "gone/there", "gone/two");
        for (String name : deleted) {
            assertThat(storage.call("one", "POST", "/versions/v/" + name, SERVICE, "{}")
                            .status())
                    .isEqualTo(200);
        }
        assertThat(content("v/gone/deep/three")).isEqualTo("deep/three");
        assertThat(content("v/gone/there")).isEqualTo("moved");
        assertThat(deleted("")).isEmpty();
        isReconciled();
    }

    private static JsonNode deleted(String after) {
        return storage.get("one", "/versions/v?prefix=gone/&limit=3&after=" + after, SERVICE)
                .json();
    }

    @Test
    void tenOfANameAreKept() {
        for (int i = 0; i <= KEPT + 3; i++) {
            put("v/many", "text " + i);
        }
        JsonNode kept = versions("v/many");
        assertThat(kept.size()).isEqualTo(KEPT);
        String oldest = kept.at("/" + (KEPT - 1) + "/version").asText();
        assertThat(storage.get("one", "/versions/v/many?version=" + oldest, SERVICE)
                        .body())
                .isEqualTo("text 3");
        isReconciled();

        assertThat(storage.call("one", "DELETE", "/versions/v/many?version=" + oldest, SERVICE)
                        .json()
                        .path("deleted")
                        .asInt())
                .isEqualTo(1);
        assertThat(storage.call("one", "DELETE", "/versions/v/many", SERVICE)
                        .json()
                        .path("deleted")
                        .asInt())
                .isEqualTo(KEPT - 1);
        assertThat(content("v/many")).isEqualTo("text 13");
        isReconciled();
    }

    @Test
    void withoutVersioningNothingIsKept() {
        put("plain/file", "first");
        put("plain/file", "second");
        storage.call("one", "DELETE", "/object/plain/file", ALICE);
        assertThat(versions("plain/file").size()).isZero();

        storage.call("one", "PUT", "/bucket/plain", SERVICE, "{\"versioning_status\":\"ENABLED\"}");
        put("plain/file", "third");
        storage.call("one", "DELETE", "/object/plain/file", ALICE);
        storage.call("one", "PUT", "/bucket/plain", SERVICE, "{\"versioning_status\":\"SUSPENDED\"}");
        put("plain/file", "fourth");
        storage.call("one", "DELETE", "/object/plain/file", ALICE);
        assertThat(versions("plain/file").size()).isEqualTo(1);
        isReconciled();

        assertThat(storage.call("one", "DELETE", "/bucket/plain", SERVICE).text("code"))
                .isEqualTo("ResourceNotEmpty");
        assertThat(storage.call("one", "POST", "/bucket/plain/empty", SERVICE).status())
                .isEqualTo(200);
        assertThat(storage.call("one", "DELETE", "/bucket/plain", SERVICE).status())
                .isEqualTo(200);
        storage.bucket("one", "plain", false);
        isReconciled();
    }

    /** Policies do not apply to deleted files: only the service role sees their versions. */
    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "DELETE"})
    void onlyTheServiceRoleMay(String method) {
        put("v/secret", "first");
        put("v/secret", "second");
        for (String bearer : List.of(ALICE, "")) {
            assertThat(storage.call("one", method, "/versions/v/secret", bearer, "{}")
                            .refusal())
                    .startsWith("403 Unauthorized");
        }
        assertThat(storage.get("one", "/versions/v", ALICE).status()).isEqualTo(403);
        assertThat(content("v/secret")).isEqualTo("second");
    }

    @Test
    void aNeighbourHasNoneOfThem() {
        put("v/mine", "first");
        put("v/mine", "second");
        String version = versions("v/mine").at("/0/version").asText();
        assertThat(storage.get("two", "/versions/v/mine", SERVICE).body()).isEqualTo("[]");
        assertThat(storage.get("two", "/versions/v/mine?version=" + version, SERVICE)
                        .text("error"))
                .isEqualTo("not_found");
        assertThat(storage.get("two", "/versions/v", SERVICE).body()).isEqualTo("[]");
        assertThat(storage.call("two", "POST", "/versions/v/mine", SERVICE, "{\"version\":\"" + version + "\"}")
                        .text("error"))
                .isEqualTo("not_found");
        assertThat(storage.call("two", "DELETE", "/versions/v/mine", SERVICE)
                        .json()
                        .path("deleted")
                        .asInt())
                .isZero();
        assertThat(versions("v/mine").size()).isEqualTo(1);
    }

    /** Then the version stays what it was: it is not lost between the two tables. */
    @Test
    void aTriggerThatKeepsTheFileOutLosesNoVersion() {
        put("v/held", "held");
        storage.call("one", "DELETE", "/object/v/held", ALICE);
        var names = storage.tenant("one").names();
        String function = names.schema().sql() + ".hold()";
        String table = names.storage().sql() + ".objects";
        storage.projects()
                .asOperator("CREATE FUNCTION " + function + " RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " IF NEW.name = 'held' THEN RETURN NULL; END IF; RETURN NEW; END $$");
        storage.projects()
                .asOperator(
                        "CREATE TRIGGER hold BEFORE INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION " + function);
        assertThat(restore("v/held", "").text("error")).isEqualTo("not_found");
        storage.projects().asOperator("DROP TRIGGER hold ON " + table);
        isReconciled();
        assertThat(restore("v/held", "").status()).isEqualTo(200);
        assertThat(content("v/held")).isEqualTo("held");
    }

    /** Neither the roles of callers nor the owner of the project reach the table or the function that writes it. */
    @Test
    void sqlOfTheTenantReachesNeitherTheRowsNorTheTrigger() {
        var names = storage.tenant("one").names();
        String table = names.storage().sql() + ".object_versions";
        for (DatabaseRole role : List.of(DatabaseRole.OWNER, DatabaseRole.ANON, DatabaseRole.AUTHENTICATED)) {
            for (String right : List.of("SELECT", "INSERT", "UPDATE", "DELETE", "TRIGGER", "REFERENCES", "TRUNCATE")) {
                assertThat(storage.projects()
                                .ask("SELECT has_table_privilege('"
                                        + names.role(role).name() + "', '" + table + "', '" + right + "')"))
                        .as(role + " " + right)
                        .isEqualTo("f");
            }
            assertThat(storage.projects()
                            .ask("SELECT has_function_privilege('"
                                    + names.role(role).name()
                                    + "', 'svc_functions.storage_keep_version()', 'EXECUTE')"))
                    .isEqualTo("f");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/versions/v/x?version=no-uuid",
                "/versions/v/x?version=../../../etc/passwd",
                "/versions/v?limit=0",
                "/versions/v?limit=1001",
                "/versions/v?limit=1e3",
                "/versions/nowhere/x",
                "/versions/v?prefix=%00",
            })
    void aStrangeQuestionHasAnAnswer(String path) {
        Answer answer = storage.get("one", path, SERVICE);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
    }

    @Test
    void aStatusThatIsNoneIsRefused() {
        assertThat(storage.call("one", "PUT", "/bucket/v", SERVICE, "{\"versioning_status\":\"on\"}")
                        .status())
                .isEqualTo(400);
        assertThat(storage.get("one", "/bucket/v", SERVICE).text("versioning_status"))
                .isEqualTo("ENABLED");
    }

    @Test
    void versionsCountForTheQuota() {
        storage.project("quota");
        versioned("quota", "b");
        byte[] half = new byte[600 << 10];
        storage.upload("quota", "b/f", SERVICE, half);
        storage.upload("quota", "b/f", SERVICE, "small", "x-upsert", "true");
        await().until(storage::idle);
        storage.serve(storage.tenant("quota").withStorage(new StorageSpec(null, null, 1L, null, null)));

        assertThat(storage.upload("quota", "b/g", SERVICE, half).text("code")).isEqualTo("QuotaExceeded");
        storage.call("quota", "DELETE", "/versions/b/f", SERVICE);
        assertThat(storage.upload("quota", "b/g", SERVICE, half).status()).isEqualTo(200);
    }
}

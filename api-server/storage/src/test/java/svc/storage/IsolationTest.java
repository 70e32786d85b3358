package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.SERVICE;

import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two projects with buckets and files of the same names have nothing of each other. */
class IsolationTest {
    private static final String[] BOTH = {"one", "two"};

    private static StorageForTests storage;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        for (String ref : BOTH) {
            storage.project(ref);
            storage.bucket(ref, "b", true);
            storage.bucket(ref, "c", false);
        }
    }

    @BeforeEach
    void sameNames() {
        for (String ref : BOTH) {
            storage.upload(ref, "b/f", SERVICE, "of " + ref, "x-upsert", "true");
            storage.upload(ref, "c/f", SERVICE, "of " + ref, "x-upsert", "true");
        }
        await().until(storage::idle);
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private static void twoHasItsOwn() {
        await().until(storage::idle);
        assertThat(storage.get("two", "/object/public/b/f", "").body()).isEqualTo("of two");
        assertThat(storage.get("two", "/object/c/f", SERVICE).body()).isEqualTo("of two");
        assertThat(storage.contents("two")).isEqualTo(storage.named("two")).hasSize(2);
    }

    @Test
    void whatOneChangesTheOtherKeeps() {
        assertThat(storage.get("one", "/object/public/b/f", "").body()).isEqualTo("of one");
        storage.call(
                "one",
                "POST",
                "/object/move",
                SERVICE,
                "{\"bucketId\":\"b\",\"sourceKey\":\"f\",\"destinationKey\":\"g\"}");
        storage.call("one", "DELETE", "/object/c", SERVICE, "{\"prefixes\":[\"f\"]}");
        storage.call("one", "POST", "/bucket/b/empty", SERVICE);
        storage.call("one", "PUT", "/bucket/b", SERVICE, "{\"public\":false}");
        storage.sweep("one");
        twoHasItsOwn();
        storage.call("one", "PUT", "/bucket/b", SERVICE, "{\"public\":true}");
    }

    @Test
    void aPolicyOfOneOpensNothingOfTheOther() {
        storage.policy("one", "FOR ALL TO PUBLIC USING (true) WITH CHECK (true)");
        assertThat(storage.get("one", "/object/c/f", ALICE).body()).isEqualTo("of one");
        assertThat(storage.get("two", "/object/c/f", ALICE).refusal()).isEqualTo("404 not_found: Object not found");
        assertThat(storage.upload("two", "c/g", ALICE, "x").refusal()).startsWith("403 Unauthorized");
    }

    @Test
    void urlsOfOneOpenNothingOfTheOther() {
        String download = storage.call("one", "POST", "/object/sign/c/f", SERVICE, "{\"expiresIn\":60}")
                .text("signedURL");
        String upload = storage.call("one", "POST", "/object/upload/sign/c/f", SERVICE, "{}", "x-upsert", "true")
                .text("url");
        assertThat(storage.get("one", download, "").body()).isEqualTo("of one");
        assertThat(storage.get("two", download, "").text("error")).isEqualTo("InvalidJWT");
        assertThat(storage.send("two", "PUT", upload, "", BodyPublishers.ofString("x"))
                        .text("error"))
                .isEqualTo("InvalidJWT");
        assertThat(storage.send("one", "PUT", upload, "", BodyPublishers.ofString("of one"))
                        .status())
                .isEqualTo(200);
        twoHasItsOwn();
    }

    @Test
    void aVersionOfOneIsNoneOfTheOther() {
        String version = storage.get("one", "/object/info/b/f", SERVICE).text("version");
        String objects = storage.tenant("two").names().storage().sql() + ".objects";
        String own = storage.get("two", "/object/info/b/f", SERVICE).text("version");
        storage.projects()
                .asOperator("UPDATE " + objects + " SET version = '" + version + "' WHERE version = '" + own + "'");
        assertThat(storage.get("two", "/object/public/b/f", "").refusal()).isEqualTo("404 not_found: Object not found");
        storage.call("two", "DELETE", "/object/b/f", SERVICE);
        await().until(storage::idle);
        assertThat(storage.get("one", "/object/public/b/f", "").body()).isEqualTo("of one");
        storage.sweep("two");
    }

    @Test
    void aVersionInAnotherSpellingNamesNothing() {
        String version = storage.get("one", "/object/info/b/f", SERVICE).text("version");
        String objects = storage.tenant("one").names().storage().sql() + ".objects";
        storage.projects()
                .asOperator("INSERT INTO " + objects + " (bucket_id, name, version) VALUES ('b', 'spelled', upper('"
                        + version + "'))");
        storage.call("one", "DELETE", "/object/b/spelled", SERVICE);
        await().until(storage::idle);
        assertThat(storage.get("one", "/object/public/b/f", "").body()).isEqualTo("of one");
    }
}

package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import java.time.Duration;
import java.util.Random;
import java.util.function.Supplier;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.storage.StorageHttp.Answer;
import svc.storage.content.ContentStore;

/**
 * The process ends between any two steps: then a file is as it was or as it was to be, and the sweeper leaves exactly the
 * bytes that rows name.
 */
class ReconciliationTest {
    private static final int MORE_THAN_ANY = 40;

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

    private static void endAnywhere(Supplier<Answer> change, Runnable check) {
        int point = 0;
        boolean ended = true;
        while (ended) {
            assertThat(point).isLessThan(MORE_THAN_ANY);
            storage.upload("one", "b/kept", SERVICE, "kept", "x-upsert", "true");
            storage.upload("one", "b/file", SERVICE, "old", "x-upsert", "true");
            quick().until(storage::idle);
            storage.store().stopAt(point);
            Answer answer = change.get();
            // What is done beside the call has its time to end as well.
            quick().until(storage::idle);
            ended = storage.store().restart();
            storage.sweep("one");
            check.run();
            assertThat(storage.get("one", "/object/b/kept", SERVICE).body()).isEqualTo("kept");
            assertThat(storage.contents("one"))
                    .as("after point %d, answered %s", point, answer)
                    .isEqualTo(storage.named("one"));
            storage.call("one", "DELETE", "/object/b/copy", SERVICE);
            point++;
        }
        assertThat(point).isGreaterThan(2);
    }

    private static ConditionFactory quick() {
        return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
    }

    private static String content(String name) {
        return storage.get("one", "/object/b/" + name, SERVICE).body();
    }

    @Test
    void whileAFileIsReplaced() {
        endAnywhere(
                () -> storage.upload("one", "b/file", SERVICE, "new", "x-upsert", "true"),
                () -> assertThat(content("file")).isIn("old", "new"));
    }

    @Test
    void whileAFileIsStoredInParts() {
        byte[] large = new byte[ContentStore.PART_BYTES + 1];
        new Random(3).nextBytes(large);
        endAnywhere(
                () -> storage.upload("one", "b/file", SERVICE, large, "x-upsert", "true"),
                () -> assertThat(storage.get("one", "/object/b/file", SERVICE).bytes())
                        .satisfiesAnyOf(
                                bytes -> assertThat(bytes).isEqualTo(large),
                                bytes -> assertThat(bytes).asString().isEqualTo("old")));
    }

    @Test
    void whileAFileIsCopied() {
        endAnywhere(
                () -> storage.call(
                        "one",
                        "POST",
                        "/object/copy",
                        SERVICE,
                        "{\"bucketId\":\"b\",\"sourceKey\":\"file\",\"destinationKey\":\"copy\"}"),
                () -> assertThat(content("file")).isEqualTo("old"));
    }

    @Test
    void whileAFileIsRemoved() {
        endAnywhere(
                () -> storage.call("one", "DELETE", "/object/b/file", SERVICE),
                () -> assertThat(storage.get("one", "/object/b/file", SERVICE).refusal())
                        .isEqualTo("404 not_found: Object not found"));
    }
}

package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.storage.StorageHttp.Answer;
import svc.storage.content.ContentStore;

/** The disk under the store is full: the answer says so, nothing is half done, and what is there stays usable. */
class FullStoreTest {
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

    @AfterEach
    void haveSpace() {
        storage.fillStore(false);
    }

    private static void isFull(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(507);
        assertThat(answer.text("code")).isEqualTo("InsufficientStorage");
        assertThat(answer.text("message")).contains("full");
    }

    @Test
    void whatIsThereCanBeReadAndDeleted() {
        storage.upload("one", "b/old", SERVICE, "old");
        storage.upload("one", "b/gone", SERVICE, "gone");
        storage.fillStore(true);

        isFull(storage.upload("one", "b/new", SERVICE, "new"));
        isFull(storage.upload("one", "b/old", SERVICE, "newer", "x-upsert", "true"));
        for (String recursive : new String[] {"false", "true"}) {
            isFull(storage.call(
                    "one",
                    "POST",
                    "/object/copy",
                    SERVICE,
                    "{\"bucketId\":\"b\",\"sourceKey\":\"" + (recursive.equals("true") ? "deep" : "old")
                            + "\",\"destinationKey\":\"copy\",\"recursive\":" + recursive + "}"));
            storage.fillStore(false);
            storage.upload("one", "b/deep/er", SERVICE, "x", "x-upsert", "true");
            storage.fillStore(true);
        }
        assertThat(storage.get("one", "/object/b/old", SERVICE).body()).isEqualTo("old");
        assertThat(storage.call("one", "DELETE", "/object/b/gone", SERVICE).status())
                .isEqualTo(200);
        await().until(storage::idle);
        assertThat(storage.contents("one")).isEqualTo(storage.named("one"));

        storage.fillStore(false);
        assertThat(storage.upload("one", "b/new", SERVICE, "new").status()).isEqualTo(200);
    }

    @Test
    void aFileThatFillsTheDiskLeavesNoPart() {
        long parts = 3L * ContentStore.PART_BYTES;
        var body = new InputStream() {
            private long sent;

            @Override
            public int read() {
                if (sent++ == 2L * ContentStore.PART_BYTES) {
                    storage.fillStore(true);
                }
                return sent > parts ? -1 : 'x';
            }
        };
        Answer answer =
                storage.send("one", "POST", "/object/b/large", SERVICE, BodyPublishers.ofInputStream(() -> body));
        isFull(answer);
        storage.fillStore(false);
        await().until(storage::idle);
        assertThat(storage.contents("one")).isEqualTo(storage.named("one"));
        assertThat(storage.get("one", "/object/b/large", SERVICE).text("error")).isEqualTo("not_found");
    }
}

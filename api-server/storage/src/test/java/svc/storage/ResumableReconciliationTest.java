package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.storage.StorageHttp.Answer;
import svc.storage.content.ContentStore;

/**
 * The process ends between any two steps of a resumable upload: then the client goes on where the service says, the file
 * is whole, and nothing is left of the upload but the file.
 */
class ResumableReconciliationTest {
    private static final int MORE_THAN_ANY = 60;
    private static final int PART = ContentStore.PART_BYTES;

    private static StorageForTests storage;
    private static TusClient tus;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        storage.project("one");
        storage.bucket("one", "b", false);
        tus = TusClient.of(storage, "one", SERVICE);
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    /**
     * @param before makes what is changed
     * @param change what is interrupted
     * @param check what a client finds then
     */
    private static void endAnywhere(Runnable before, Runnable change, Runnable check) {
        int point = 0;
        boolean ended = true;
        while (ended) {
            assertThat(point).isLessThan(MORE_THAN_ANY);
            before.run();
            idle();
            storage.store().stopAt(point);
            change.run();
            idle();
            ended = storage.store().restart();
            storage.startAgain();
            check.run();
            idle();
            storage.pass(Duration.ofHours(25));
            storage.sweep("one");
            assertThat(storage.contents("one")).as("after point %d", point).isEqualTo(storage.named("one"));
            assertThat(storage.multiparts("one")).as("after point %d", point).isZero();
            assertThat(openRows()).as("after point %d", point).isEqualTo("0");
            storage.call("one", "DELETE", "/object/b/file", SERVICE);
            point++;
        }
        assertThat(point).isGreaterThan(2);
    }

    private static void idle() {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).until(storage::idle);
    }

    private static String openRows() {
        return storage.projects()
                .ask("SELECT count(*) FROM "
                        + storage.tenant("one").names().storage().sql() + ".resumable_uploads");
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** As a client does: goes on with its upload, or starts again where the service does not know it. */
    private static void resume(String path, byte[] whole) {
        Answer head = tus.head(path);
        if (head.status() == 200) {
            tus.resume(path, whole, PART);
        } else {
            assertThat(head.status()).isIn(404, 410);
            tus.resume(tus.begun("file", whole.length), whole, PART);
        }
        assertThat(storage.get("one", "/object/b/file", SERVICE).bytes()).isEqualTo(whole);
    }

    private static boolean sent(String path, byte[] whole, int from, int to) {
        return tus.patch(path, from, Arrays.copyOfRange(whole, from, to)).status() == 204;
    }

    @Test
    void whileChunksArrive() {
        byte[] whole = bytes(PART + 300);
        String[] path = new String[1];
        endAnywhere(
                () -> path[0] = tus.begun("file", whole.length),
                () -> all(
                        () -> sent(path[0], whole, 0, 100),
                        () -> sent(path[0], whole, 100, PART + 100),
                        () -> sent(path[0], whole, PART + 100, whole.length)),
                () -> resume(path[0], whole));
    }

    private static void all(BooleanSupplier... steps) {
        for (BooleanSupplier step : steps) {
            if (!step.getAsBoolean()) {
                return;
            }
        }
    }

    @Test
    void whileASmallFileIsReplaced() {
        byte[] whole = bytes(1_000);
        String[] path = new String[1];
        endAnywhere(
                () -> {
                    storage.upload("one", "b/file", SERVICE, "old");
                    path[0] = tus.begun("file", whole.length, "x-upsert", "true");
                },
                () -> all(() -> sent(path[0], whole, 0, 100), () -> sent(path[0], whole, 100, whole.length)),
                () -> {
                    assertThat(tus.resume(path[0], whole, PART)).isIn(0L, 100L, 1_000L);
                    assertThat(storage.get("one", "/object/b/file", SERVICE).bytes())
                            .isEqualTo(whole);
                });
    }

    @Test
    void whilePartialUploadsAreJoined() {
        byte[] first = bytes(PART);
        byte[] second = bytes(300);
        String[] headers = new String[4];
        endAnywhere(
                () -> {
                    String one = tus.begun("file", first.length, "Upload-Concat", "partial");
                    String two = tus.begun("file", second.length, "Upload-Concat", "partial");
                    tus.resume(one, first, PART);
                    tus.resume(two, second, PART);
                    headers[0] = "Upload-Concat";
                    headers[1] = "final;" + one + " " + two;
                    headers[2] = "Upload-Metadata";
                    headers[3] = TusClient.metadata("bucketName", "b", "objectName", "file");
                },
                () -> tus.send("POST", TusClient.PATH, null, headers),
                () -> {
                    Answer again = tus.send("POST", TusClient.PATH, null, headers);
                    assertThat(again.status()).as(again.toString()).isEqualTo(201);
                    byte[] whole = Arrays.copyOf(first, first.length + second.length);
                    System.arraycopy(second, 0, whole, first.length, second.length);
                    assertThat(storage.get("one", "/object/b/file", SERVICE).bytes())
                            .isEqualTo(whole);
                });
    }

    @Test
    void whileAnUploadIsEnded() {
        byte[] whole = bytes(PART + 300);
        String[] path = new String[1];
        endAnywhere(
                () -> {
                    path[0] = tus.begun("file", whole.length);
                    sent(path[0], whole, 0, PART + 100);
                },
                () -> tus.delete(path[0]),
                () -> assertThat(tus.head(path[0]).status()).isIn(404, 410));
    }

    @Test
    void whileExpiredUploadsAreSwept() {
        byte[] whole = bytes(PART + 300);
        endAnywhere(
                () -> {
                    sent(tus.begun("file", whole.length), whole, 0, PART + 100);
                    storage.pass(Duration.ofHours(25));
                },
                () -> {
                    try {
                        storage.sweep("one");
                    } catch (IllegalStateException theProcessHasEnded) {
                        // Sweeps again, after the restart.
                    }
                },
                () -> {});
    }
}

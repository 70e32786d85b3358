package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.storage.StorageHttp.Answer;

/** Of two writers of a resumable upload the later one goes on: no byte of the earlier one is in the file. */
class SupersededWritersTest {
    private static final int PART = 6 << 20;
    private static final int BEGUN = PART + 50;
    private static final int LENGTH = 3 * PART + 300;

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

    @AfterEach
    void nothingIsLeft() {
        await().until(storage::idle);
        assertThat(storage.contents("one")).isEqualTo(storage.named("one"));
        assertThat(storage.multiparts("one")).isZero();
    }

    private static byte[] all(char character, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) character);
        return bytes;
    }

    /** An upload whose first part is stored, and fifty bytes behind it. */
    private static String begun(String name) {
        String path = tus.begun(name, LENGTH);
        assertThat(tus.patch(path, 0, all('y', BEGUN)).status()).isEqualTo(204);
        return path;
    }

    /** The earlier writer has sent less than a part when the later one comes, and goes on behind its first part. */
    @Test
    void aWriterThatGoesOnReplacesNoPart() throws IOException {
        String path = begun("paused");
        try (Socket first = new Socket("127.0.0.1", storage.port())) {
            first.setSoTimeout(60_000);
            OutputStream out = first.getOutputStream();
            out.write(("PATCH /one" + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer service\r\n"
                            + "Tus-Resumable: 1.0.0\r\nUpload-Offset: " + BEGUN + "\r\n"
                            + "Content-Type: application/offset+octet-stream\r\nContent-Length: " + (LENGTH - BEGUN)
                            + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(all('x', PART / 2));
            out.flush();
            await().until(() -> storage.budget().held() > 0);
            byte[] second = all('y', LENGTH);
            assertThat(tus.patch(path, BEGUN, Arrays.copyOf(second, PART + 100)).status())
                    .isEqualTo(204);
            out.write(all('x', PART));
            out.flush();
            byte[] head = new byte[13];
            assertThat(first.getInputStream().readNBytes(head, 0, 13)).isEqualTo(13);
            assertThat(new String(head, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 423 ");
            assertThat(tus.resume(path, second, LENGTH)).isEqualTo(BEGUN + PART + 100);
            assertThat(storage.get("one", "/object/b/paused", SERVICE).bytes()).isEqualTo(second);
        }
    }

    /** The part of the earlier writer is on its way to S3, and arrives there last. */
    @Test
    void aPartThatArrivesLateReplacesNone() throws InterruptedException {
        String path = begun("late");
        var onItsWay = new CountDownLatch(1);
        var arrives = new CountDownLatch(1);
        storage.store().holdNextPart(() -> {
            onItsWay.countDown();
            try {
                arrives.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        CompletableFuture<Answer> first = CompletableFuture.supplyAsync(
                () -> tus.patch(path, BEGUN, all('x', LENGTH - BEGUN)), Thread::startVirtualThread);
        onItsWay.await();
        byte[] second = all('y', LENGTH);
        assertThat(tus.patch(path, BEGUN, Arrays.copyOf(second, PART + 100)).status())
                .isEqualTo(204);
        arrives.countDown();
        assertThat(first.join().status()).isEqualTo(423);
        assertThat(tus.resume(path, second, LENGTH)).isEqualTo(BEGUN + PART + 100);
        assertThat(storage.get("one", "/object/b/late", SERVICE).bytes()).isEqualTo(second);
    }

    /** A checksum that does not match gives its numbers back, however often that is. */
    @Test
    void partsOfAWrongChecksumAreNoPartOfTheFile() {
        String path = tus.begun("checked", LENGTH);
        for (int i = 0; i < 2; i++) {
            assertThat(tus.patch(path, 0, all('x', LENGTH), "Upload-Checksum", "sha1 AAAA")
                            .status())
                    .isEqualTo(460);
        }
        byte[] right = all('y', LENGTH);
        assertThat(tus.resume(path, right, PART + 7)).isZero();
        assertThat(storage.get("one", "/object/b/checked", SERVICE).bytes()).isEqualTo(right);
    }
}

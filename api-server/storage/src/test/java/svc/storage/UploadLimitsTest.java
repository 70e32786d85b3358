package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.project.service.StorageSpec;
import svc.storage.StorageHttp.Answer;

/** Uploads stay within the limits of bucket and project, and slow ones and broken ones hold and leave nothing. */
class UploadLimitsTest {
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
    void bucketAndProjectLimitSizesAndTypes() {
        storage.project("limits");
        storage.serve(storage.tenant("limits").withStorage(new StorageSpec(null, 100L, null, null, null)));
        storage.call(
                "limits",
                "POST",
                "/bucket",
                SERVICE,
                "{\"name\":\"b\",\"file_size_limit\":10,\"allowed_mime_types\":[\"image/png\",\"text/*\"]}");
        storage.call("limits", "POST", "/bucket", SERVICE, "{\"name\":\"any\"}");
        String text = "text/plain";

        assertThat(storage.upload("limits", "b/a", SERVICE, "0123456789", "content-type", text)
                        .status())
                .isEqualTo(200);
        String large = "413 Payload too large: The object exceeded the maximum allowed size";
        assertThat(storage.upload("limits", "b/c", SERVICE, "0123456789a", "content-type", text)
                        .refusal())
                .isEqualTo(large);
        Answer chunked = storage.send(
                "limits",
                "POST",
                "/object/b/c",
                SERVICE,
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[11])),
                "content-type",
                text);
        assertThat(chunked.refusal()).isEqualTo(large);
        assertThat(storage.upload("limits", "any/c", SERVICE, "x".repeat(101)).refusal())
                .isEqualTo(large);
        assertThat(storage.upload("limits", "b/d", SERVICE, "x", "content-type", "image/gif")
                        .refusal())
                .isEqualTo("415 invalid_mime_type: mime type image/gif is not supported");
        assertThat(storage.upload("limits", "b/e", SERVICE, "x", "content-type", "image/png; a=b")
                        .status())
                .isEqualTo(200);
        assertThat(storage.upload("limits", "b/f/.emptyFolderPlaceholder", SERVICE, "", "content-type", "a/b")
                        .status())
                .isEqualTo(200);
        assertThat(storage.contents("limits"))
                .isEqualTo(storage.named("limits"))
                .hasSize(3);
    }

    @Test
    void aProjectLimitsTheSizeOfAllItsFiles() {
        storage.project("quota");
        storage.serve(storage.tenant("quota").withStorage(new StorageSpec(null, null, 1L, null, null)));
        storage.bucket("quota", "b", false);
        byte[] most = new byte[700 << 10];
        assertThat(storage.upload("quota", "b/f", SERVICE, most).status()).isEqualTo(200);
        String refused =
                "413 Payload too large: The project's files may have 1 MiB together: spec.storage.totalSizeLimitMB";
        assertThat(storage.upload("quota", "b/g", SERVICE, most).refusal()).isEqualTo(refused);
        assertThat(storage.send(
                                "quota",
                                "POST",
                                "/object/b/g",
                                SERVICE,
                                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(most)))
                        .refusal())
                .isEqualTo(refused);
        assertThat(storage.call(
                                "quota",
                                "POST",
                                "/object/copy",
                                SERVICE,
                                "{\"bucketId\":\"b\",\"sourceKey\":\"f\",\"destinationKey\":\"g\"}")
                        .refusal())
                .isEqualTo(refused);
        await().untilAsserted(() -> assertThat(storage.contents("quota")).isEqualTo(storage.named("quota")));
        assertThat(storage.call("quota", "DELETE", "/object/b/f", SERVICE).status())
                .isEqualTo(200);
        assertThat(storage.upload("quota", "b/g", SERVICE, most).status()).isEqualTo(200);
    }

    @Test
    void whatAFileReplacesDoesNotCount() {
        storage.project("again");
        storage.serve(storage.tenant("again").withStorage(new StorageSpec(null, null, 1L, null, null)));
        storage.bucket("again", "b", false);
        byte[] most = new byte[700 << 10];
        assertThat(storage.upload("again", "b/f", SERVICE, most).status()).isEqualTo(200);
        for (int i = 0; i < 3; i++) {
            assertThat(storage.send("again", "PUT", "/object/b/f", SERVICE, BodyPublishers.ofByteArray(most))
                            .status())
                    .isEqualTo(200);
        }
        assertThat(storage.send(
                                "again",
                                "PUT",
                                "/object/b/f",
                                SERVICE,
                                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(most)))
                        .status())
                .isEqualTo(200);
        assertThat(storage.upload("again", "b/g", SERVICE, new byte[200 << 10]).status())
                .isEqualTo(200);
        assertThat(storage.send("again", "PUT", "/object/b/f", SERVICE, BodyPublishers.ofByteArray(new byte[900 << 10]))
                        .text("code"))
                .isEqualTo("QuotaExceeded");
        // A bucket with versions keeps what was there.
        storage.call("again", "PUT", "/bucket/b", SERVICE, "{\"versioning_status\":\"ENABLED\"}");
        assertThat(storage.send("again", "PUT", "/object/b/f", SERVICE, BodyPublishers.ofByteArray(most))
                        .text("code"))
                .isEqualTo("QuotaExceeded");
    }

    @Test
    void noRowMakesTheSumOfAllFilesOverflow() {
        storage.project("sum");
        storage.serve(storage.tenant("sum").withStorage(new StorageSpec(null, null, 1L, null, null)));
        storage.bucket("sum", "b", false);
        storage.projects()
                .asOperator(
                        "INSERT INTO " + storage.tenant("sum").names().storage().sql()
                                + ".objects (bucket_id, name, metadata) VALUES ('b', 'x', '{\"size\": 18446744073709551615}'),"
                                + " ('b', 'y', '{\"size\": 0.5}'), ('b', 'z', '{\"size\": \"1\"}')");
        assertThat(storage.upload("sum", "b/f", SERVICE, "x").text("code")).isEqualTo("QuotaExceeded");
    }

    @Test
    void aBodyThatIsCutOffLeavesNothing() throws IOException {
        begin("one", "cut", 1000);
        await().untilAsserted(() -> assertThat(storage.budget().held()).isZero());
        assertThat(storage.get("one", "/object/b/cut", SERVICE).refusal()).isEqualTo("404 not_found: Object not found");
        storage.sweep("one");
        assertThat(storage.contents("one")).isEqualTo(storage.named("one"));
    }

    /** Sends ten bytes of a longer body and leaves. */
    private static void begin(String ref, String name, int length) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", storage.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(
                    ("POST /" + ref + "/object/b/" + name + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer service\r\n"
                                    + "Content-Length: " + length + "\r\n\r\n0123456789")
                            .getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
    }

    @Test
    void slowUploadsOfOneProjectHoldNothingOfAnothers() throws IOException {
        storage.project("neighbour");
        storage.bucket("neighbour", "b", true);
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 30; i++) {
                Socket socket = new Socket("127.0.0.1", storage.port());
                slow.add(socket);
                socket.getOutputStream()
                        .write(("POST /one/object/b/slow" + i
                                        + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer service\r\n"
                                        + "Content-Length: 50000000\r\n\r\n0")
                                .getBytes(StandardCharsets.US_ASCII));
            }
            long half = storage.budget().total() / 3;
            await().untilAsserted(() -> assertThat(storage.budget().held()).isGreaterThan(half));
            assertThat(storage.upload("neighbour", "b/f", SERVICE, "x").status())
                    .isEqualTo(200);
            assertThat(storage.upload("neighbour", "b/g", SERVICE, new byte[7 << 20])
                            .status())
                    .isEqualTo(200);
            assertThat(storage.get("neighbour", "/object/public/b/f", "").body())
                    .isEqualTo("x");
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
        await().untilAsserted(() -> assertThat(storage.budget().held()).isZero());
    }

    @Test
    void aBodyThatArrivesTooSlowlyIsRefused() throws IOException {
        storage.startAgain(Duration.ofMillis(100));
        try (Socket socket = new Socket("127.0.0.1", storage.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("POST /one/object/b/slow HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer service\r\n"
                                    + "Content-Length: 1000000\r\n\r\n0123456789")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 408 ").contains("The body arrived too slowly");
        } finally {
            storage.startAgain();
        }
        await().untilAsserted(() -> assertThat(storage.budget().held()).isZero());
    }
}

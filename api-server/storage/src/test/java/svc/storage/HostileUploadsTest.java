package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.BOB;
import static svc.storage.StorageForTests.SERVICE;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.storage.StorageHttp.Answer;

/** Requests of TUS that are wrong, cut off, slow or too many are answered, lose no byte that was counted, and hurt none. */
class HostileUploadsTest {
    private static StorageForTests storage;
    private static TusClient tus;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        for (String ref : new String[] {"one", "neighbour"}) {
            storage.project(ref);
            storage.bucket(ref, "b", false);
        }
        tus = TusClient.of(storage, "one", SERVICE);
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    @AfterEach
    void theNeighbourUploadsAsEver() {
        TusClient other = TusClient.of(storage, "neighbour", SERVICE);
        String path = other.begun("f", 3, "x-upsert", "true");
        assertThat(other.patch(path, 0, new byte[3]).header("tus-complete")).isEqualTo("1");
        await().until(storage::idle);
    }

    private static Socket patching(int port, String path, int announced, int sent) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(60_000);
        socket.getOutputStream()
                .write(("PATCH /one" + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer service\r\n"
                                + "Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n"
                                + "Content-Type: application/offset+octet-stream\r\n"
                                + "Content-Length: " + announced + "\r\n\r\n" + "x".repeat(sent))
                        .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }

    @Test
    void whatArrivedOfABodyThatIsCutOffIsKept() throws IOException {
        String path = tus.begun("cut", 1_000);
        try (Socket socket = patching(storage.port(), path, 1_000, 10)) {
            await().until(() -> storage.budget().held() > 0);
        }
        await().untilAsserted(() -> assertThat(storedOffset("cut")).isEqualTo("10"));
        byte[] whole = "x".repeat(1_000).getBytes(StandardCharsets.US_ASCII);
        assertThat(tus.resume(path, whole, 500)).isEqualTo(10);
        assertThat(storage.get("one", "/object/b/cut", SERVICE).bytes()).isEqualTo(whole);
    }

    /** Without a request, which would take the upload over. */
    private static String storedOffset(String name) {
        return storage.projects()
                .ask("SELECT upload_offset FROM "
                        + storage.tenant("one").names().storage().sql() + ".resumable_uploads WHERE name = '" + name
                        + "'");
    }

    @Test
    void aSilentClientMayResumeAndLosesNothing() throws IOException {
        String path = tus.begun("silent", 1_000_000);
        storage.startAgain(Duration.ofMillis(100));
        try (Socket socket = patching(storage.port(), path, 1_000_000, 10)) {
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 503 ").contains("The body arrived too slowly");
        } finally {
            storage.startAgain();
        }
        assertThat(tus.head(path).header("upload-offset")).isEqualTo("10");
        assertThat(tus.delete(path).status()).isEqualTo(204);
    }

    @Test
    void ofTwoWritersTheLaterOneGoesOn() throws IOException {
        String path = tus.begun("twice", 1_000);
        try (Socket first = patching(storage.port(), path, 1_000, 10)) {
            await().until(() -> storage.budget().held() > 0);
            byte[] second = new byte[1_000];
            Arrays.fill(second, (byte) 'y');
            assertThat(tus.head(path).header("upload-offset")).isEqualTo("0");
            assertThat(tus.patch(path, 0, second).header("tus-complete")).isEqualTo("1");
            first.getOutputStream().write("x".repeat(990).getBytes(StandardCharsets.US_ASCII));
            first.getOutputStream().flush();
            byte[] head = new byte[13];
            assertThat(first.getInputStream().readNBytes(head, 0, 13)).isEqualTo(13);
            assertThat(new String(head, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 423 ");
            assertThat(storage.get("one", "/object/b/twice", SERVICE).bytes()).isEqualTo(second);
        }
        await().until(storage::idle);
        assertThat(storage.contents("one")).isEqualTo(storage.named("one"));
    }

    @Test
    void aWriterWhoseUploadIsEndedWritesNothing() throws IOException {
        String path = tus.begun("ended", 1_000);
        try (Socket first = patching(storage.port(), path, 1_000, 10)) {
            await().until(() -> storage.budget().held() > 0);
            assertThat(tus.delete(path).status()).isEqualTo(204);
        }
        await().until(storage::idle);
        assertThat(tus.head(path).status()).isEqualTo(404);
        assertThat(storage.contents("one")).isEqualTo(storage.named("one"));
    }

    @Test
    void aBodyThatIsTooLongChangesNothing() {
        String path = tus.begun("long", 10);
        assertThat(tus.patch(path, 0, new byte[11]).status()).isEqualTo(413);
        Answer chunked = storage.send(
                "one",
                "PATCH",
                path,
                SERVICE,
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[11])),
                "Tus-Resumable",
                "1.0.0",
                "Upload-Offset",
                "0",
                "Content-Type",
                "application/offset+octet-stream");
        assertThat(chunked.status()).isEqualTo(413);
        assertThat(tus.head(path).header("upload-offset")).isEqualTo("0");
        assertThat(tus.create("longer", 1L << 50).status()).isEqualTo(413);
    }

    @Test
    void wrongOffsetsAndHeadersAreRefused() {
        String path = tus.begun("wrong", 10);
        Answer conflict = tus.patch(path, 5, new byte[5]);
        assertThat(conflict.status()).isEqualTo(409);
        assertThat(conflict.text("message")).startsWith("Upload-Offset conflict");
        for (String offset : new String[] {"-1", "x", "1e3", "99999999999999999999", ""}) {
            assertThat(tus.send(
                                    "PATCH",
                                    path,
                                    new byte[1],
                                    "Upload-Offset",
                                    offset,
                                    "Content-Type",
                                    "application/offset+octet-stream")
                            .status())
                    .as(offset)
                    .isEqualTo(400);
        }
        assertThat(tus.send("PATCH", path, new byte[1], "Upload-Offset", "0").status())
                .isEqualTo(415);
        Answer version = tus.head(path, "Tus-Resumable", "0.2.2");
        assertThat(version.status()).isEqualTo(412);
        assertThat(version.header("tus-version")).isEqualTo("1.0.0");
        for (String id : new String[] {"x", "00000000-0000-4000-8000-000000000000", "%00", "a%27b"}) {
            assertThat(tus.head("/upload/resumable/" + id).status()).as(id).isIn(400, 404);
        }
        for (String[] lengths : new String[][] {
            {"Upload-Length", "-1"},
            {"Upload-Length", "1", "Upload-Defer-Length", "1"},
            {"Upload-Defer-Length", "2"},
            {},
            {"Upload-Length", "1", "Upload-Concat", "whole"},
            {"Upload-Concat", "final;"},
            {"Upload-Concat", "final;" + "/x ".repeat(200)}
        }) {
            String[] headers = Arrays.copyOf(lengths, lengths.length + 2);
            headers[lengths.length] = "Upload-Metadata";
            headers[lengths.length + 1] = TusClient.metadata("bucketName", "b", "objectName", "x");
            assertThat(tus.send("POST", TusClient.PATH, null, headers).status())
                    .as(String.join(" ", lengths))
                    .isIn(400, 404);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bucketName",
                "bucketName Yg==",
                "bucketName Yg==,objectName",
                "bucketName Yg==,objectName !!!",
                "bucketName Yg==,objectName /w==",
                "bucketName Yg==,objectName AA==",
                "bucketName Yg==,objectName eA==,objectName eA==",
                "bucketName Yg==,objectName eA== eA==",
                "bucketName Yg==,,objectName eA==",
                "bucketName Yg==,objectName Li4vLi4veA==",
            })
    void metadataThatCannotBeReadIsRefused(String metadata) {
        Answer refused = tus.send("POST", TusClient.PATH, null, "Upload-Length", "1", "Upload-Metadata", metadata);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.header("tus-resumable")).isEqualTo("1.0.0");
    }

    @Test
    void aMegabyteOfMetadataIsRefused() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", storage.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("POST /one/upload/resumable HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer service\r\n"
                                    + "Tus-Resumable: 1.0.0\r\nUpload-Length: 1\r\nUpload-Metadata: bucketName Yg==,objectName "
                                    + "eA".repeat(8 << 10))
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] head = new byte[11];
            assertThat(socket.getInputStream().readNBytes(head, 0, 11)).isEqualTo(11);
            assertThat(new String(head, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 4" + "3");
        }
    }

    @Test
    void openUploadsOfACallerAndOfAProjectAreBounded() {
        var tenant = storage.project("many");
        storage.bucket("many", "b", false);
        storage.policy("many", "FOR INSERT WITH CHECK (true)");
        TusClient alice = TusClient.of(storage, "many", ALICE);
        TusClient bob = TusClient.of(storage, "many", BOB);
        alice.begun("first", 1);
        String table = tenant.names().storage().sql() + ".resumable_uploads";
        copy(table, "u.caller", 999);
        Answer refused = alice.create("more", 1);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(429);
        assertThat(refused.text("message")).startsWith("Too many uploads");
        String path = bob.begun("bobs", 1);
        copy(table, "'AUTHENTICATED:' || n", 8_999);
        assertThat(bob.create("more", 1).status()).isEqualTo(429);
        assertThat(bob.patch(path, 0, new byte[1]).header("tus-complete")).isEqualTo("1");
        // Nothing was sent to them: they expire, and make room.
        storage.pass(Duration.ofMinutes(61));
        assertThat(alice.create("later", 1).status()).isEqualTo(201);
    }

    @Test
    void holdersOfAUrlLeaveRoomForThoseOfOthers() {
        var tenant = storage.project("urls");
        storage.bucket("urls", "b", false);
        String mine = storage.call("urls", "POST", "/object/upload/sign/b/mine", SERVICE)
                .text("token");
        String other = storage.call("urls", "POST", "/object/upload/sign/b/other", SERVICE)
                .text("token");
        TusClient signed = TusClient.signed(storage, "urls");
        signed.begun("mine", 1, "x-signature", mine);
        copy(tenant.names().storage().sql() + ".resumable_uploads", "u.caller", 999);
        assertThat(signed.create("mine", 1, "x-signature", mine).status()).isEqualTo(429);
        String path = signed.begun("other", 1, "x-signature", other);
        assertThat(signed.head(path, "x-signature", mine).status()).isEqualTo(400);
        assertThat(signed.patch(path, 0, new byte[1], "x-signature", other).header("tus-complete"))
                .isEqualTo("1");
    }

    private static void copy(String table, String caller, int count) {
        storage.projects()
                .asOperator("INSERT INTO " + table + " SELECT (jsonb_populate_record(u,"
                        + " jsonb_build_object('id', gen_random_uuid(), 'caller', " + caller + "))).* FROM " + table
                        + " u, generate_series(1, " + count + ") n WHERE u.ctid = (SELECT min(ctid) FROM " + table
                        + ")");
    }

    @Test
    void manyTinyChunksAreOneFile() {
        byte[] whole = "The quick brown fox jumps over the lazy dog, twice.".getBytes(StandardCharsets.US_ASCII);
        String path = tus.begun("tiny", whole.length);
        tus.resume(path, whole, 1);
        assertThat(storage.get("one", "/object/b/tiny", SERVICE).bytes()).isEqualTo(whole);
        await().until(storage::idle);
        assertThat(storage.contents("one")).isEqualTo(storage.named("one"));
    }
}

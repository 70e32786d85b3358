package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.BOB;
import static svc.storage.StorageForTests.SERVICE;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.project.service.StorageSpec;
import svc.storage.StorageHttp.Answer;

/** Who may upload by TUS, how much, and where the upload is found again. */
class ResumableAccessTest {
    private static final int MIB = 1 << 20;

    private static StorageForTests storage;
    private static TusClient tus;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        for (String ref : new String[] {"one", "two"}) {
            storage.project(ref);
            storage.bucket(ref, "b", false);
        }
        tus = TusClient.of(storage, "one", SERVICE);
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private static byte[] file(String name) {
        Answer read = storage.get("one", "/object/b/" + name, SERVICE);
        assertThat(read.status()).as(name).isEqualTo(200);
        return read.bytes();
    }

    private static void leavesNothing() {
        await().until(storage::idle);
        assertThat(storage.contents("one")).isEqualTo(storage.named("one"));
    }

    @Test
    void limitsOfBucketAndProjectHold() {
        storage.call(
                "one",
                "POST",
                "/bucket",
                SERVICE,
                "{\"name\":\"small\",\"file_size_limit\":10,\"allowed_mime_types\":[\"text/plain\"]}");
        String text = TusClient.metadata("bucketName", "small", "objectName", "f", "contentType", "text/plain");
        assertThat(tus.send("POST", TusClient.PATH, null, "Upload-Length", "11", "Upload-Metadata", text)
                        .status())
                .isEqualTo(413);
        assertThat(tus.send(
                                "POST",
                                TusClient.PATH,
                                null,
                                "Upload-Length",
                                "1",
                                "Upload-Metadata",
                                TusClient.metadata("bucketName", "small", "objectName", "f"))
                        .status())
                .isEqualTo(415);
        String deferred = TusClient.path(
                tus.send("POST", TusClient.PATH, null, "Upload-Defer-Length", "1", "Upload-Metadata", text));
        assertThat(tus.patch(deferred, 0, new byte[11]).status()).isEqualTo(413);
        assertThat(tus.patch(deferred, 0, new byte[10]).status()).isEqualTo(204);
        assertThat(tus.patch(deferred, 10, new byte[1]).status()).isEqualTo(413);
        Answer none = tus.send(
                "POST",
                TusClient.PATH,
                null,
                "Upload-Length",
                "1",
                "Upload-Metadata",
                TusClient.metadata("bucketName", "none", "objectName", "f"));
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.refusal()).isEqualTo("404 Bucket not found: Bucket not found");
    }

    @Test
    void bytesOfOpenUploadsCountForTheProject() {
        var tenant = storage.project("full");
        storage.bucket("full", "b", false);
        var spec = tenant.storage();
        storage.serve(tenant.withStorage(new StorageSpec(spec.enabled(), spec.fileSizeLimit(), 4L, null, null)));
        TusClient full = TusClient.of(storage, "full", SERVICE);
        String open = full.begun("open", 4 * MIB);
        assertThat(full.patch(open, 0, new byte[3 * MIB]).status()).isEqualTo(204);
        assertThat(full.create("more", 2 * MIB).status()).isEqualTo(413);
        assertThat(storage.upload("full", "b/plain", SERVICE, new byte[2 * MIB]).refusal())
                .startsWith("413");
        assertThat(full.delete(open).status()).isEqualTo(204);
        assertThat(storage.upload("full", "b/plain", SERVICE, new byte[2 * MIB]).status())
                .isEqualTo(200);
    }

    @Test
    void policiesAreTriedAtTheCreationAndWithEachChunk() {
        var tenant = storage.project("ruled");
        storage.bucket("ruled", "b", false);
        TusClient alice = TusClient.of(storage, "ruled", ALICE);
        Answer denied = alice.create("f", 4);
        assertThat(denied.status()).isEqualTo(403);
        assertThat(denied.text("message")).isEqualTo("new row violates row-level security policy");
        String objects = tenant.names().storage().sql() + ".objects";
        storage.projects()
                .asOperator("CREATE POLICY mine ON " + objects + " FOR INSERT WITH CHECK (owner_id = '" + ALICE
                        + "' AND svc_storage.operation() IN ('storage.tus.upload.create', 'storage.tus.upload.part'))");
        String path = alice.begun("f", 4);
        assertThat(alice.patch(path, 0, new byte[2]).status()).isEqualTo(204);
        storage.projects().asOperator("DROP POLICY mine ON " + objects);
        assertThat(alice.patch(path, 2, new byte[2]).status()).isEqualTo(403);
        assertThat(alice.head(path).header("upload-offset")).isEqualTo("2");
    }

    @Test
    void anUploadBelongsToItsCallerAndItsProject() {
        storage.project("shared");
        storage.bucket("shared", "b", false);
        storage.policy("shared", "FOR INSERT WITH CHECK (true)");
        TusClient alice = TusClient.of(storage, "shared", ALICE);
        String path = alice.begun("f", 4);
        for (TusClient other : new TusClient[] {
            TusClient.of(storage, "shared", BOB),
            TusClient.of(storage, "shared", ""),
            TusClient.of(storage, "shared", SERVICE),
            TusClient.of(storage, "two", ALICE),
            TusClient.of(storage, "two", SERVICE)
        }) {
            assertThat(other.head(path).status()).isEqualTo(404);
            assertThat(other.patch(path, 0, new byte[4]).status()).isEqualTo(404);
            assertThat(other.delete(path).status()).isEqualTo(404);
        }
        assertThat(alice.patch(path, 0, new byte[4]).status()).isEqualTo(204);
        String owner = storage.projects()
                .ask("SELECT owner_id FROM "
                        + storage.tenant("shared").names().storage().sql() + ".objects");
        assertThat(owner).isEqualTo(ALICE);
    }

    @Test
    void aSignedUrlIsEnough() {
        String token = storage.call("one", "POST", "/object/upload/sign/b/signed", SERVICE)
                .text("token");
        String other = storage.call("one", "POST", "/object/upload/sign/b/other", SERVICE)
                .text("token");
        TusClient signed = TusClient.signed(storage, "one");
        assertThat(signed.create("signed", 4).status()).isEqualTo(400);
        assertThat(signed.create("signed", 4, "x-signature", other).status()).isEqualTo(400);
        String path = signed.begun("signed", 4, "x-signature", token);
        assertThat(path).startsWith("/upload/resumable/sign/");
        assertThat(signed.patch(path, 0, new byte[2]).status()).isEqualTo(400);
        assertThat(signed.patch(path, 0, new byte[2], "x-signature", other).status())
                .isEqualTo(400);
        assertThat(tus.head(path.replace("/sign", "")).status()).isEqualTo(404);
        assertThat(signed.patch(path, 0, new byte[2], "x-signature", token).status())
                .isEqualTo(204);
        assertThat(signed.head(path, "x-signature", token).header("upload-offset"))
                .isEqualTo("2");
        assertThat(signed.patch(path, 2, new byte[2], "x-signature", token).status())
                .isEqualTo(204);
        assertThat(file("signed")).hasSize(4);
        assertThat(signed.create("signed", 4, "x-signature", token).status()).isEqualTo(409);
    }

    @Test
    void theLocationIsWhereTheClientHasCalled() throws IOException {
        Answer created = tus.create(
                "proxied",
                1,
                "X-Forwarded-Host",
                "files.example.com",
                "X-Forwarded-Proto",
                "https",
                "X-Forwarded-Prefix",
                "/api");
        assertThat(created.header("location")).startsWith("https://files.example.com/api/one/upload/resumable/");
        assertThat(tus.create("ported", 1, "X-Forwarded-Host", "h.example", "X-Forwarded-Port", "8443")
                        .header("location"))
                .startsWith("http://h.example:8443/one/upload/resumable/");
        assertThat(tus.create("forged", 1, "X-Forwarded-Host", "evil.example/x?")
                        .header("location"))
                .startsWith(called() + "/one/upload/resumable/");
        assertThat(locationAt("one.localhost")).startsWith("http://one.localhost/storage/v1/upload/resumable/");
        assertThat(locationAt("api.example:8080")).startsWith("http://api.example:8080/one/upload/resumable/");
    }

    private static String called() {
        return "http://127.0.0.1:" + storage.port();
    }

    /** Where an upload is that was begun under this name. */
    private static String locationAt(String host) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", storage.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("POST /one/upload/resumable HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
                                    + "Authorization: Bearer service\r\nTus-Resumable: 1.0.0\r\nUpload-Length: 1\r\n"
                                    + "Upload-Metadata: " + TusClient.metadata("bucketName", "b", "objectName", host)
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.lines()
                    .filter(line -> line.startsWith("location: "))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(answer))
                    .substring("location: ".length());
        }
    }

    @Test
    void anExistingFileIsReplacedOnlyOnDemand() {
        storage.upload("one", "b/there", SERVICE, "old");
        Answer refused = tus.create("there", 3);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("message")).isEqualTo("The resource already exists");
        String path = tus.begun("there", 3, "x-upsert", "true");
        tus.patch(path, 0, "new".getBytes(StandardCharsets.UTF_8));
        assertThat(file("there")).asString().isEqualTo("new");
        leavesNothing();
    }

    @Test
    void anUploadThatCannotBecomeAFileIsEnded() {
        String path = tus.begun("late", 3);
        storage.upload("one", "b/late", SERVICE, "first");
        assertThat(tus.patch(path, 0, new byte[3]).status()).isEqualTo(409);
        assertThat(file("late")).asString().isEqualTo("first");
    }

    @Test
    void aSignatureOpensNoUploadOfAnother() {
        String mine = storage.call("one", "POST", "/object/upload/sign/b/mine", SERVICE)
                .text("token");
        String other = storage.call("one", "POST", "/object/upload/sign/b/theirs", SERVICE)
                .text("token");
        TusClient signed = TusClient.signed(storage, "one");
        String partial = signed.begun("theirs", 3, "x-signature", other, "Upload-Concat", "partial");
        assertThat(signed.patch(partial, 0, new byte[3], "x-signature", other).status())
                .isEqualTo(204);
        Answer refused = signed.send(
                "POST",
                signed.prefix(),
                null,
                "x-signature",
                mine,
                "Upload-Concat",
                "final;" + partial,
                "Upload-Metadata",
                TusClient.metadata("bucketName", "b", "objectName", "mine"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("error")).isEqualTo("InvalidSignature");
    }
}

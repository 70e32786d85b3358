package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.storage.StorageHttp.Answer;

/** Uploads by TUS become files, whatever the size of their chunks, and whichever process takes them. */
class ResumableUploadsTest {
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

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
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
    void theServiceSaysWhatItCanDo() {
        for (String path : new String[] {"/upload/resumable", "/upload/resumable/sign", "/upload/resumable/x"}) {
            Answer options = storage.call("one", "OPTIONS", path, "");
            assertThat(options.status()).isEqualTo(204);
            assertThat(options.header("tus-version")).isEqualTo("1.0.0");
            assertThat(options.header("tus-extension"))
                    .isEqualTo("creation,creation-with-upload,creation-defer-length,termination,expiration,"
                            + "concatenation,checksum");
            assertThat(options.header("tus-checksum-algorithm")).isEqualTo("sha1,sha256,md5");
            assertThat(options.header("tus-max-size"))
                    .isEqualTo(Long.toString(storage.tenant("one").storage().fileSizeLimit()));
        }
    }

    @Test
    void aFileHasWhatItsMetadataDeclares() {
        Answer created = tus.send(
                "POST",
                TusClient.PATH,
                null,
                "Upload-Length",
                "5",
                "Upload-Metadata",
                TusClient.metadata(
                        "bucketName", "b",
                        "objectName", "declared/Grüße.txt",
                        "contentType", "text/plain",
                        "cacheControl", "3600",
                        "metadata", "{\"color\":\"blue\"}"));
        assertThat(created.status()).as(created.toString()).isEqualTo(201);
        assertThat(created.header("location"))
                .startsWith("http://127.0.0.1:" + storage.port() + "/one/upload/resumable/");
        assertThat(created.header("upload-expires")).endsWith(" GMT");
        assertThat(created.header("tus-resumable")).isEqualTo("1.0.0");
        String path = TusClient.path(created);

        Answer first = tus.patch(path, 0, "he".getBytes(StandardCharsets.UTF_8));
        assertThat(first.status()).isEqualTo(204);
        assertThat(first.header("upload-offset")).isEqualTo("2");
        Answer head = tus.head(path);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("upload-offset")).isEqualTo("2");
        assertThat(head.header("upload-length")).isEqualTo("5");
        assertThat(head.header("upload-metadata")).contains("bucketName Yg==");
        assertThat(head.header("cache-control")).isEqualTo("no-store");
        Answer last = tus.patch(path, 2, "llo".getBytes(StandardCharsets.UTF_8));
        assertThat(last.header("upload-offset")).isEqualTo("5");
        assertThat(last.header("tus-complete")).isEqualTo("1");
        assertThat(tus.head(path).header("upload-offset")).isEqualTo("5");

        Answer read = storage.get("one", "/object/b/declared/Gr%C3%BC%C3%9Fe.txt", SERVICE);
        assertThat(read.body()).isEqualTo("hello");
        assertThat(read.header("content-type")).isEqualTo("text/plain");
        assertThat(read.header("cache-control")).isEqualTo("max-age=3600");
        assertThat(storage.get("one", "/object/info/b/declared/Gr%C3%BC%C3%9Fe.txt", SERVICE)
                        .json()
                        .path("metadata")
                        .toString())
                .isEqualTo("{\"color\":\"blue\"}");
        leavesNothing();
    }

    @ParameterizedTest
    @CsvSource({"12582912, 6291456", "6400000, 999999", "13000000, 13000000", "6291456, 6291455", "50000, 1000"})
    void chunksMayHaveAnySize(int size, int chunk) {
        byte[] whole = bytes(size);
        String name = "chunks-" + size + "-" + chunk;
        tus.resume(tus.begun(name, size), whole, chunk);
        assertThat(file(name)).isEqualTo(whole);
        leavesNothing();
    }

    @Test
    void theFirstBytesMayComeWithTheCreation() {
        byte[] whole = bytes(3 * MIB);
        Answer created = tus.send(
                "POST",
                TusClient.PATH,
                Arrays.copyOf(whole, MIB),
                "Upload-Length",
                Integer.toString(whole.length),
                "Content-Type",
                "application/offset+octet-stream",
                "Upload-Metadata",
                TusClient.metadata("bucketName", "b", "objectName", "with"));
        assertThat(created.header("upload-offset")).isEqualTo(Integer.toString(MIB));
        assertThat(tus.resume(TusClient.path(created), whole, 4 * MIB)).isEqualTo(MIB);
        assertThat(file("with")).isEqualTo(whole);
    }

    @Test
    void anEmptyFileIsCompleteAtOnce() {
        Answer created = tus.create("empty", 0);
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.header("tus-complete")).isEqualTo("1");
        assertThat(file("empty")).isEmpty();
    }

    @Test
    void theLengthMayFollow() {
        byte[] whole = bytes(7 * MIB);
        Answer created = tus.send(
                "POST",
                TusClient.PATH,
                null,
                "Upload-Defer-Length",
                "1",
                "Upload-Metadata",
                TusClient.metadata("bucketName", "b", "objectName", "deferred"));
        String path = TusClient.path(created);
        assertThat(tus.head(path).header("upload-defer-length")).isEqualTo("1");
        assertThat(tus.patch(path, 0, whole).status()).isEqualTo(204);
        assertThat(storage.get("one", "/object/b/deferred", SERVICE).status()).isEqualTo(400);
        assertThat(tus.patch(path, whole.length, new byte[0], "Upload-Length", "1")
                        .status())
                .isEqualTo(400);
        assertThat(tus.patch(path, whole.length, new byte[0], "Upload-Length", Integer.toString(whole.length))
                        .header("tus-complete"))
                .isEqualTo("1");
        assertThat(file("deferred")).isEqualTo(whole);
        leavesNothing();
    }

    @Test
    void bytesCountOnlyWithTheRightChecksum() throws Exception {
        byte[] whole = bytes(7 * MIB);
        String path = tus.begun("checked", whole.length);
        String right = "sha1 "
                + Base64.getEncoder()
                        .encodeToString(MessageDigest.getInstance("SHA-1").digest(whole));
        assertThat(tus.patch(path, 0, whole, "Upload-Checksum", "sha1 AAAA").status())
                .isEqualTo(460);
        assertThat(tus.head(path).header("upload-offset")).isEqualTo("0");
        assertThat(tus.patch(path, 0, whole, "Upload-Checksum", "crc9 AAAA").status())
                .isEqualTo(400);
        assertThat(tus.patch(path, 0, whole, "Upload-Checksum", right).status()).isEqualTo(204);
        assertThat(file("checked")).isEqualTo(whole);
    }

    @Test
    void anotherProcessGoesOn() {
        byte[] whole = bytes(10 * MIB);
        String path = tus.begun("moved", whole.length);
        tus.patch(path, 0, Arrays.copyOf(whole, 7 * MIB + 7));
        storage.startAgain();
        assertThat(tus.resume(path, whole, MIB)).isEqualTo(7 * MIB + 7);
        assertThat(file("moved")).isEqualTo(whole);
    }

    @Test
    void anUploadThatIsEndedLeavesNothing() {
        byte[] whole = bytes(8 * MIB);
        String path = tus.begun("ended", whole.length);
        tus.patch(path, 0, Arrays.copyOf(whole, 7 * MIB));
        assertThat(tus.delete(path).status()).isEqualTo(204);
        assertThat(tus.head(path).status()).isEqualTo(404);
        assertThat(tus.patch(path, 7 * MIB, new byte[1]).status()).isEqualTo(404);
        assertThat(tus.delete(path).status()).isEqualTo(404);
        leavesNothing();

        String complete = tus.begun("kept", 0);
        assertThat(tus.delete(complete).status()).isEqualTo(400);
        assertThat(file("kept")).isEmpty();
    }

    @Test
    void aProjectThatHasOnlyPartsIsSwept() {
        var tenant = storage.project("parts");
        storage.bucket("parts", "b", false);
        TusClient parts = TusClient.of(storage, "parts", SERVICE);
        parts.patch(parts.begun("f", 7 * MIB), 0, new byte[6 * MIB]);
        assertThat(storage.contents("parts")).isEmpty();
        assertThat(storage.store().projects()).contains(tenant.projectId());
        storage.pass(Duration.ofHours(25));
        storage.sweep("parts");
        assertThat(storage.multiparts("parts")).isZero();
    }

    @Test
    void anUploadWhoseTimeIsOverIsGone() {
        String unused = tus.begun("unused", 10);
        String used = tus.begun("used", 10);
        tus.patch(used, 0, new byte[3]);
        storage.pass(Duration.ofMinutes(61));
        assertThat(tus.head(unused).status()).isEqualTo(410);
        assertThat(tus.patch(unused, 0, new byte[1]).status()).isEqualTo(410);
        assertThat(tus.head(used).status()).isEqualTo(200);
        storage.pass(Duration.ofHours(24));
        assertThat(tus.patch(used, 3, new byte[7]).status()).isEqualTo(410);
        storage.sweep("one");
        assertThat(tus.head(unused).status()).isEqualTo(404);
        assertThat(tus.head(used).status()).isEqualTo(404);
        leavesNothing();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2000000 4000000", "5242880 100 5300000", "0 5"})
    void partialUploadsBecomeOneFile(String sizes) {
        int[] lengths =
                Arrays.stream(sizes.split(" ")).mapToInt(Integer::parseInt).toArray();
        byte[] whole = bytes(Arrays.stream(lengths).sum());
        String name = "joined-" + whole.length;
        StringBuilder concat = new StringBuilder("final;");
        int from = 0;
        String last = "";
        for (int length : lengths) {
            last = tus.begun(name, length, "Upload-Concat", "partial");
            tus.resume(last, Arrays.copyOfRange(whole, from, from + length), 4_000_000);
            assertThat(tus.head(last).header("upload-concat")).isEqualTo("partial");
            concat.append("http://one.localhost/storage/v1").append(last).append(' ');
            from += length;
        }
        String metadata = TusClient.metadata("bucketName", "b", "objectName", name);
        String[] headers = {"Upload-Concat", concat.toString(), "Upload-Metadata", metadata};
        Answer joined = tus.send("POST", TusClient.PATH, null, headers);
        assertThat(joined.status()).as(joined.toString()).isEqualTo(201);
        assertThat(joined.header("upload-offset")).isEqualTo(Integer.toString(whole.length));
        assertThat(file(name)).isEqualTo(whole);
        // The answer may be lost: the same again is answered the same.
        assertThat(tus.send("POST", TusClient.PATH, null, headers).header("location"))
                .isEqualTo(joined.header("location"));
        String path = TusClient.path(joined);
        assertThat(tus.head(path).header("upload-concat")).startsWith("final;");
        assertThat(tus.patch(path, whole.length, new byte[0]).status()).isEqualTo(403);
        leavesNothing();
    }

    @Test
    void partialUploadsAreJoinedOnlyWhenTheyAreWholeAndTheCallers() {
        String open = tus.begun("never", 3, "Upload-Concat", "partial");
        String plain = tus.begun("plain-one", 0);
        String metadata = TusClient.metadata("bucketName", "b", "objectName", "never");
        for (String parts : new String[] {open, plain, "/x", open + " " + open}) {
            Answer refused = tus.send(
                    "POST", TusClient.PATH, null, "Upload-Concat", "final;" + parts, "Upload-Metadata", metadata);
            assertThat(refused.status()).as(parts).isIn(400, 404);
        }
        tus.patch(open, 0, new byte[3]);
        Answer other = TusClient.of(storage, "two", SERVICE)
                .send("POST", TusClient.PATH, null, "Upload-Concat", "final;" + open, "Upload-Metadata", metadata);
        assertThat(other.status()).isEqualTo(404);
        assertThat(tus.delete(open).status()).isEqualTo(204);
        assertThat(tus.send("POST", TusClient.PATH, null, "Upload-Concat", "partial", "Upload-Length", "1")
                        .body())
                .contains("metadataForPartialUploads");
    }

    @Test
    void aClientThatCanOnlyPostMayNameAnotherMethod() {
        String path = tus.begun("overridden", 2);
        Answer sent = tus.send(
                "POST",
                path,
                new byte[2],
                "X-HTTP-Method-Override",
                "PATCH",
                "Upload-Offset",
                "0",
                "Content-Type",
                "application/offset+octet-stream");
        assertThat(sent.status()).isEqualTo(204);
        assertThat(file("overridden")).hasSize(2);
        assertThat(tus.send("POST", path, null).status()).isEqualTo(404);
    }
}

package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.S3Exception;
import svc.storage.StorageHttp.Answer;

/** An error of PostgreSQL at the last step ends an upload only when every further attempt would have the same one. */
class MomentaryFailuresTest {
    private static StorageForTests storage;
    private static TusClient tus;
    private static S3Client s3;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        S3ForTests.project(storage, "one");
        tus = TusClient.of(storage, "one", SERVICE);
        s3 = S3ForTests.client(storage, "one");
    }

    @AfterAll
    static void nothingIsLeft() {
        try {
            await().until(storage::idle);
            await().untilAsserted(() -> assertThat(storage.contents("one")).isEqualTo(storage.named("one")));
            assertThat(storage.multiparts("one")).isZero();
        } finally {
            s3.close();
            storage.close();
        }
    }

    private static String schema() {
        return storage.tenant("one").names().storage().sql();
    }

    /** From now on the statement that writes a row fails; the one that is tried has no version. */
    private static void failing(String table, String event, String condition, String state, Runnable meanwhile) {
        String name = "public.momentary_failure";
        storage.projects()
                .asOperator("CREATE OR REPLACE FUNCTION " + name + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF "
                        + condition + " THEN RAISE EXCEPTION 'now' USING ERRCODE = '" + state
                        + "'; END IF; RETURN coalesce(NEW, OLD); END $$; CREATE TRIGGER zz BEFORE " + event + " ON "
                        + schema() + "." + table + " FOR EACH ROW EXECUTE FUNCTION " + name + "()");
        try {
            meanwhile.run();
        } finally {
            storage.projects().asOperator("DROP TRIGGER zz ON " + schema() + "." + table);
        }
    }

    private static void failingRows(String state, Runnable meanwhile) {
        failing("objects", "INSERT OR UPDATE", "NEW.version IS NOT NULL", state, meanwhile);
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @CsvSource({
        "55P03, 1000",
        "40001, 1000",
        "40P01, 1000",
        "57014, 1000",
        "53200, 1000",
        "08006, 1000",
        "54001, 1000",
        "55P03, 6291756",
        "57014, 6291756",
        "40001, 6291456"
    })
    void aResumableUploadGoesOnBehindIt(String state, int length) {
        byte[] whole = bytes(length);
        String path = tus.begun("momentary", length, "x-upsert", "true");
        assertThat(tus.patch(path, 0, Arrays.copyOf(whole, 500)).status()).isEqualTo(204);
        failingRows(state, () -> {
            Answer failed = tus.patch(path, 500, Arrays.copyOfRange(whole, 500, length));
            assertThat(failed.status()).as(failed.toString()).isEqualTo(state.equals("54001") ? 400 : 503);
        });
        tus.resume(path, whole, length);
        assertThat(storage.get("one", "/object/b/momentary", SERVICE).bytes()).isEqualTo(whole);
        assertThat(tus.head(path).header("tus-complete")).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource({"P0001, 1000", "23514, 1000", "22001, 1000", "42501, 1000", "P0001, 6291756", "23514, 6291756"})
    void aRefusalForEverEndsAResumableUpload(String state, int length) {
        String path = tus.begun("never", length);
        failingRows(
                state,
                () -> assertThat(tus.patch(path, 0, bytes(length)).status()).isBetween(400, 499));
        assertThat(tus.head(path).status()).isIn(404, 410);
        assertThat(storage.get("one", "/object/b/never", SERVICE).text("code")).isEqualTo("NoSuchKey");
    }

    private static CompletedPart part(String key, String id, byte[] bytes) {
        String etag = s3.uploadPart(
                        request -> request.bucket("b").key(key).uploadId(id).partNumber(1),
                        RequestBody.fromBytes(bytes))
                .eTag();
        return CompletedPart.builder().partNumber(1).eTag(etag).build();
    }

    private static void complete(String key, String id, CompletedPart part) {
        s3.completeMultipartUpload(
                request -> request.bucket("b").key(key).uploadId(id).multipartUpload(all -> all.parts(part)));
    }

    private static String begin(String key) {
        return s3.createMultipartUpload(request -> request.bucket("b").key(key)).uploadId();
    }

    private static String refusal(Runnable call) {
        String[] code = new String[1];
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        S3Exception.class,
                        e -> code[0] =
                                e.statusCode() + " " + e.awsErrorDetails().errorCode());
        return code[0];
    }

    private static byte[] read(String key) {
        return s3.getObjectAsBytes(request -> request.bucket("b").key(key)).asByteArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"55P03", "40001", "40P01", "57014", "53200", "08006"})
    void anUploadInPartsIsCompletedByTheNextRequest(String state) {
        String id = begin("parts");
        byte[] bytes = bytes(100);
        CompletedPart part = part("parts", id, bytes);
        failingRows(
                state,
                () -> assertThat(refusal(() -> complete("parts", id, part))).isEqualTo("503 ServiceUnavailable"));
        complete("parts", id, part);
        assertThat(read("parts")).isEqualTo(bytes);
        complete("parts", id, part);
    }

    @Test
    void anUploadInPartsWhoseObjectIsWrittenIsOnlyForgotten() {
        String id = begin("written");
        byte[] bytes = bytes(100);
        CompletedPart part = part("written", id, bytes);
        failing("s3_multipart_uploads", "DELETE", "true", "55P03", () -> {
            assertThat(refusal(() -> complete("written", id, part))).isEqualTo("503 ServiceUnavailable");
            assertThat(read("written")).isEqualTo(bytes);
            assertThat(refusal(() -> complete("written", id, part))).isEqualTo("503 ServiceUnavailable");
        });
        s3.completeMultipartUpload(request -> request.bucket("b")
                .key("written")
                .uploadId(id)
                .ifNoneMatch("*")
                .multipartUpload(all -> all.parts(part)));
        await().until(storage::idle);
        assertThat(read("written")).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"P0001", "23514", "22001", "42501"})
    void aRefusalForEverEndsAnUploadInParts(String state) {
        String id = begin("refused");
        CompletedPart part = part("refused", id, bytes(100));
        failingRows(
                state,
                () -> assertThat(refusal(() -> complete("refused", id, part))).startsWith("4"));
        assertThat(refusal(() -> complete("refused", id, part))).isEqualTo("404 NoSuchUpload");
    }
}

package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.BOB;
import static svc.storage.StorageForTests.SERVICE;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.Part;
import software.amazon.awssdk.services.s3.model.S3Exception;
import svc.crds.project.service.StorageSpec;

/** Uploads in parts become one object at once, or nothing. */
class S3MultipartTest {
    private static final int MIN_PART = 5 << 20;

    private static StorageForTests storage;
    private static S3Client s3;
    private static final byte[] BYTES = new byte[20 << 20];

    @BeforeAll
    static void start() {
        new Random(7).nextBytes(BYTES);
        storage = new StorageForTests();
        S3ForTests.project(storage, "one");
        s3 = S3ForTests.client(storage, "one");
    }

    @AfterAll
    static void stop() {
        s3.close();
        storage.close();
    }

    private static String refusal(ThrowingCallable call) {
        S3Exception[] refused = new S3Exception[1];
        assertThatThrownBy(call).isInstanceOfSatisfying(S3Exception.class, e -> refused[0] = e);
        return refused[0].statusCode() + " " + refused[0].awsErrorDetails().errorCode();
    }

    private static String begin(S3Client client, String key) {
        return client.createMultipartUpload(request ->
                        request.bucket("b").key(key).contentType("video/mp4").metadata(Map.of("a", "b")))
                .uploadId();
    }

    private static CompletedPart part(S3Client client, String key, String id, int number, int from, int to) {
        String etag = client.uploadPart(
                        request -> request.bucket("b").key(key).uploadId(id).partNumber(number),
                        RequestBody.fromBytes(Arrays.copyOfRange(BYTES, from, to)))
                .eTag();
        return CompletedPart.builder().partNumber(number).eTag(etag).build();
    }

    private static CompleteMultipartUploadResponse complete(
            S3Client client, String key, String id, CompletedPart... parts) {
        return client.completeMultipartUpload(
                request -> request.bucket("b").key(key).uploadId(id).multipartUpload(all -> all.parts(parts)));
    }

    private static void assertNothingIsLeft(String ref) {
        await().untilAsserted(() -> {
            assertThat(storage.contents(ref)).isEqualTo(storage.named(ref));
            assertThat(storage.unfinished(ref)).isZero();
            assertThat(storage.idle()).isTrue();
        });
    }

    @Test
    void partsInAnyOrderBecomeOneObject() {
        String id = begin(s3, "film.mp4");
        CompletedPart third = part(s3, "film.mp4", id, 30, 15 << 20, (15 << 20) + 17);
        // Larger than what is held in memory.
        CompletedPart second = part(s3, "film.mp4", id, 2, MIN_PART, 15 << 20);
        part(s3, "film.mp4", id, 1, 1, MIN_PART + 1);
        CompletedPart first = part(s3, "film.mp4", id, 1, 0, MIN_PART);

        assertThat(s3.listParts(request ->
                                request.bucket("b").key("film.mp4").uploadId(id).maxParts(2))
                        .parts())
                .extracting(Part::partNumber)
                .containsExactly(1, 2);
        assertThat(s3.listPartsPaginator(request ->
                                request.bucket("b").key("film.mp4").uploadId(id).maxParts(1))
                        .parts())
                .extracting(Part::size)
                .containsExactly((long) MIN_PART, 10L << 20, 17L);
        assertThat(s3.listMultipartUploads(request -> request.bucket("b").prefix("film"))
                        .uploads())
                .extracting(MultipartUpload::uploadId)
                .containsExactly(id);
        assertThat(refusal(
                        () -> s3.getObjectAsBytes(request -> request.bucket("b").key("film.mp4"))))
                .isEqualTo("404 NoSuchKey");

        String etag = complete(s3, "film.mp4", id, first, second, third).eTag();
        assertThat(etag).endsWith("-3\"");
        ResponseBytes<GetObjectResponse> read =
                s3.getObjectAsBytes(request -> request.bucket("b").key("film.mp4"));
        assertThat(read.asByteArray()).isEqualTo(Arrays.copyOf(BYTES, (15 << 20) + 17));
        assertThat(read.response().eTag()).isEqualTo(etag);
        assertThat(read.response().contentType()).isEqualTo("video/mp4");
        assertThat(read.response().metadata()).isEqualTo(Map.of("a", "b"));
        assertThat(storage.get("one", "/object/info/b/film.mp4", SERVICE)
                        .json()
                        .path("size")
                        .asLong())
                .isEqualTo((15 << 20) + 17);
        // A client that lost the answer asks again.
        assertThat(complete(s3, "film.mp4", id, first, second, third).eTag()).isEqualTo(etag);
        assertThat(refusal(() -> part(s3, "film.mp4", id, 1, 0, 1))).isEqualTo("404 NoSuchUpload");

        String copy = begin(s3, "copy.mp4");
        String whole = s3.uploadPartCopy(request -> request.sourceBucket("b")
                        .sourceKey("film.mp4")
                        .copySourceRange("bytes=1-" + MIN_PART)
                        .destinationBucket("b")
                        .destinationKey("copy.mp4")
                        .uploadId(copy)
                        .partNumber(1))
                .copyPartResult()
                .eTag();
        CompletedPart end = part(s3, "copy.mp4", copy, 2, 0, 3);
        complete(
                s3,
                "copy.mp4",
                copy,
                CompletedPart.builder().partNumber(1).eTag(whole).build(),
                end);
        byte[] copied = s3.getObjectAsBytes(request -> request.bucket("b").key("copy.mp4"))
                .asByteArray();
        assertThat(Arrays.copyOf(copied, MIN_PART)).isEqualTo(Arrays.copyOfRange(BYTES, 1, MIN_PART + 1));
        assertThat(copied).hasSize(MIN_PART + 3);
        assertNothingIsLeft("one");
    }

    @Test
    void anUploadThatIsNotAsAskedForStaysAsItIs() {
        String id = begin(s3, "x");
        CompletedPart small = part(s3, "x", id, 1, 0, 10);
        CompletedPart last = part(s3, "x", id, 2, 10, 20);
        assertThat(refusal(() -> complete(s3, "x", id, small, last))).isEqualTo("400 EntityTooSmall");
        assertThat(refusal(() -> complete(s3, "x", id, last, small))).isEqualTo("400 InvalidPartOrder");
        assertThat(refusal(() -> complete(
                        s3, "x", id, small.toBuilder().eTag(last.eTag()).build())))
                .isEqualTo("400 InvalidPart");
        assertThat(refusal(() ->
                        complete(s3, "x", id, small.toBuilder().partNumber(3).build())))
                .isEqualTo("400 InvalidPart");
        assertThat(refusal(() -> complete(
                        s3, "x", id, small.toBuilder().partNumber(10_001).build())))
                .isEqualTo("400 MalformedXML");
        assertThat(refusal(() -> part(s3, "x", id, 10_001, 0, 1))).isEqualTo("400 InvalidArgument");
        assertThat(refusal(() -> part(s3, "x", id, 0, 0, 1))).isEqualTo("400 InvalidArgument");
        assertThat(refusal(() -> part(s3, "y", id, 1, 0, 1))).isEqualTo("404 NoSuchUpload");
        complete(s3, "x", id, last);
        assertThat(s3.getObjectAsBytes(request -> request.bucket("b").key("x")).asByteArray())
                .isEqualTo(Arrays.copyOfRange(BYTES, 10, 20));
        assertNothingIsLeft("one");
    }

    @Test
    void abortedAndAbandonedUploadsLeaveNothing() {
        String id = begin(s3, "aborted");
        part(s3, "aborted", id, 1, 0, 9 << 20);
        s3.abortMultipartUpload(request -> request.bucket("b").key("aborted").uploadId(id));
        assertThat(refusal(() -> s3.abortMultipartUpload(
                        request -> request.bucket("b").key("aborted").uploadId(id))))
                .isEqualTo("404 NoSuchUpload");

        S3ForTests.project(storage, "swept");
        try (S3Client swept = S3ForTests.client(storage, "swept")) {
            String abandoned = begin(swept, "abandoned");
            part(swept, "abandoned", abandoned, 1, 0, 10);
            storage.abandonUploads("swept");
            assertThat(refusal(() -> part(swept, "abandoned", abandoned, 2, 0, 10)))
                    .isEqualTo("404 NoSuchUpload");
            assertThat(swept.listMultipartUploads(request -> request.bucket("b"))
                            .uploads())
                    .isEmpty();
        }
        assertNothingIsLeft("swept");
    }

    @Test
    void whereverTheProcessEndsTheObjectIsOldOrNew() {
        S3ForTests.project(storage, "stop");
        try (S3Client client = S3ForTests.client(storage, "stop")) {
            client.putObject(request -> request.bucket("b").key("x"), RequestBody.fromString("old"));
            boolean ended = true;
            for (int point = 0; ended; point++) {
                String id = begin(client, "x");
                CompletedPart only = part(client, "x", id, 1, point, point + 10);
                storage.store().stopAt(point);
                try {
                    complete(client, "x", id, only);
                } catch (S3Exception e) {
                    assertThat(e.statusCode()).isEqualTo(500);
                }
                await().until(storage::idle);
                ended = storage.store().restart();
                assertThat(client.getObjectAsBytes(
                                        request -> request.bucket("b").key("x"))
                                .asByteArray())
                        .hasSizeBetween(3, 10);
                storage.abandonUploads("stop");
                storage.sweep("stop");
                assertNothingIsLeft("stop");
            }
        }
    }

    @Test
    void oneUserLeavesRoomForOthers() {
        S3ForTests.project(storage, "many");
        storage.policy("many", "FOR ALL TO PUBLIC USING (true) WITH CHECK (true)");
        try (S3Client service = S3ForTests.client(storage, "many");
                S3Client alice = S3ForTests.client(storage, "many", S3ForTests.user(storage, "many", ALICE));
                S3Client bob = S3ForTests.client(storage, "many", S3ForTests.user(storage, "many", BOB))) {
            begin(alice, "first");
            String uploads = storage.tenant("many").names().storage().sql() + ".s3_multipart_uploads";
            storage.projects()
                    .asOperator("INSERT INTO " + uploads + " SELECT (jsonb_populate_record(u,"
                            + " jsonb_build_object('id', gen_random_uuid()))).* FROM " + uploads
                            + " u, generate_series(1, 999)");
            assertThat(refusal(() -> begin(alice, "more"))).isEqualTo("400 TooManyMultipartUploads");
            assertThat(begin(bob, "his")).isNotEmpty();
            assertThat(begin(service, "its")).isNotEmpty();
        }
    }

    @Test
    void limitsHoldOverAllParts() {
        S3ForTests.project(storage, "limits");
        storage.serve(storage.tenant("limits")
                .withStorage(new StorageSpec(null, 12L << 20, 16L, null, null)
                        .withAccessKeys(storage.tenant("limits").storage().accessKeys())));
        try (S3Client client = S3ForTests.client(storage, "limits")) {
            String id = begin(client, "large");
            CompletedPart first = part(client, "large", id, 1, 0, 6 << 20);
            CompletedPart second = part(client, "large", id, 2, 0, 6 << 20);
            assertThat(refusal(() -> part(client, "large", id, 3, 0, 1))).isEqualTo("413 EntityTooLarge");
            part(client, "large", id, 2, 0, 6 << 20);
            complete(client, "large", id, first, second);
            String other = begin(client, "other");
            assertThat(refusal(() -> part(client, "other", other, 1, 0, 5 << 20)))
                    .isEqualTo("413 QuotaExceeded");
            assertThat(part(client, "other", other, 1, 0, 1 << 20)).isNotNull();
        }
    }

    @Test
    void policiesDecideAboutPartsAndUploadsAreTheirUsersOwn() {
        S3ForTests.project(storage, "rls");
        try (S3Client alice = S3ForTests.client(storage, "rls", S3ForTests.user(storage, "rls", ALICE));
                S3Client bob = S3ForTests.client(storage, "rls", S3ForTests.user(storage, "rls", BOB))) {
            assertThat(refusal(() -> begin(alice, "a"))).isEqualTo("403 AccessDenied");
            storage.policy(
                    "rls",
                    "FOR ALL TO PUBLIC USING (AUTH.uid() IS NOT NULL AND name <> 'secret')"
                            + " WITH CHECK (AUTH.uid() IS NOT NULL AND STORAGE.operation() LIKE 'storage.s3.upload%')");
            String id = begin(alice, "a");
            CompletedPart only = part(alice, "a", id, 1, 0, 10);
            assertThat(refusal(() -> part(bob, "a", id, 1, 0, 10))).isEqualTo("404 NoSuchUpload");
            assertThat(refusal(() -> complete(bob, "a", id, only))).isEqualTo("404 NoSuchUpload");
            assertThat(bob.listMultipartUploads(request -> request.bucket("b")).uploads())
                    .isEmpty();
            assertThat(alice.listMultipartUploads(request -> request.bucket("b"))
                            .uploads())
                    .hasSize(1);
            complete(alice, "a", id, only);
            assertThat(storage.projects()
                            .ask("SELECT owner_id FROM "
                                    + storage.tenant("rls").names().storage().sql() + ".objects WHERE name = 'a'"))
                    .isEqualTo(ALICE);
        }
        assertNothingIsLeft("rls");
        assertThat(List.of(storage.named("rls"))).hasSize(1);
    }
}

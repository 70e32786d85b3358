package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketCannedACL;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** AWS's own client works unchanged, and sees the files of storage-js, which sees its objects. */
class S3CommandsTest {
    private static StorageForTests storage;
    private static S3Client s3;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        S3ForTests.project(storage, "one");
        s3 = S3ForTests.client(storage, "one");
    }

    @AfterAll
    static void stop() {
        s3.close();
        storage.close();
    }

    private static void put(String key, String text) {
        s3.putObject(request -> request.bucket("b").key(key), RequestBody.fromString(text));
    }

    private static String refusal(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        S3Exception[] refused = new S3Exception[1];
        assertThatThrownBy(call).isInstanceOfSatisfying(S3Exception.class, e -> refused[0] = e);
        return refused[0].statusCode() + " "
                + (refused[0].awsErrorDetails() == null
                        ? ""
                        : refused[0].awsErrorDetails().errorCode());
    }

    @Test
    void bucketsAreMadeFoundAndDeleted() {
        s3.createBucket(request -> request.bucket("made")
                .acl(BucketCannedACL.PUBLIC_READ)
                .createBucketConfiguration(where -> where.locationConstraint("eu-west-1")));
        s3.headBucket(request -> request.bucket("made"));
        assertThat(s3.listBuckets().buckets()).extracting("name").contains("b", "made");
        assertThat(storage.get("one", "/bucket/made", SERVICE)
                        .json()
                        .path("public")
                        .asBoolean())
                .isTrue();
        assertThat(s3.getBucketLocation(request -> request.bucket("made")).locationConstraintAsString())
                .isIn("", null);
        assertThat(s3.getBucketVersioning(request -> request.bucket("made")).status())
                .isNull();
        assertThat(refusal(() -> s3.createBucket(request -> request.bucket("made"))))
                .isEqualTo("409 BucketAlreadyExists");
        s3.putObject(request -> request.bucket("made").key("x"), RequestBody.fromString("x"));
        assertThat(refusal(() -> s3.deleteBucket(request -> request.bucket("made"))))
                .isEqualTo("409 BucketNotEmpty");
        s3.deleteObject(request -> request.bucket("made").key("x"));
        s3.deleteBucket(request -> request.bucket("made"));
        assertThat(refusal(() -> s3.headBucket(request -> request.bucket("made"))))
                .startsWith("404");
        assertThat(refusal(() -> s3.listObjectsV2(request -> request.bucket("made"))))
                .isEqualTo("404 NoSuchBucket");
    }

    @Test
    void anObjectKeepsWhatItsHeadersDeclare() {
        String etag = s3.putObject(
                        request -> request.bucket("b")
                                .key("dir/grüße & co.txt")
                                .contentType("text/plain")
                                .contentEncoding("identity")
                                .contentDisposition("attachment; filename=x")
                                .cacheControl("max-age=7")
                                .metadata(Map.of("color", "blue")),
                        RequestBody.fromString("hello"))
                .eTag();
        assertThat(etag).isEqualTo("\"5d41402abc4b2a76b9719d911017c592\"");
        ResponseBytes<GetObjectResponse> read =
                s3.getObjectAsBytes(request -> request.bucket("b").key("dir/grüße & co.txt"));
        assertThat(read.asUtf8String()).isEqualTo("hello");
        assertThat(read.response().contentType()).isEqualTo("text/plain");
        assertThat(read.response().contentDisposition()).isEqualTo("attachment; filename=x");
        assertThat(read.response().contentEncoding()).isEqualTo("identity");
        assertThat(read.response().cacheControl()).isEqualTo("max-age=7");
        assertThat(read.response().metadata()).isEqualTo(Map.of("color", "blue"));
        HeadObjectResponse head = s3.headObject(request -> request.bucket("b").key("dir/grüße & co.txt"));
        assertThat(head.contentLength()).isEqualTo(5);
        assertThat(head.eTag()).isEqualTo(etag);
        assertThat(storage.get("one", "/object/b/dir/gr%C3%BC%C3%9Fe%20&%20co.txt", SERVICE)
                        .body())
                .isEqualTo("hello");
        storage.upload("one", "b/by-rest", SERVICE, "rest", "content-type", "text/css");
        assertThat(s3.getObjectAsBytes(request -> request.bucket("b").key("by-rest"))
                        .asUtf8String())
                .isEqualTo("rest");
    }

    @Test
    void allChecksumsAreVerified() {
        for (ChecksumAlgorithm algorithm : List.of(
                ChecksumAlgorithm.CRC32, ChecksumAlgorithm.CRC32_C, ChecksumAlgorithm.SHA1, ChecksumAlgorithm.SHA256)) {
            s3.putObject(
                    request -> request.bucket("b").key("sum").checksumAlgorithm(algorithm),
                    RequestBody.fromString("summed"));
        }
        assertThat(refusal(() -> s3.putObject(
                        request -> request.bucket("b").key("wrong").checksumCRC32("AAAAAA=="),
                        RequestBody.fromString("summed"))))
                .isEqualTo("400 BadDigest");
        assertThat(refusal(() -> s3.putObject(
                        request -> request.bucket("b").key("wrong").contentMD5("AAAAAAAAAAAAAAAAAAAAAA=="),
                        RequestBody.fromString("summed"))))
                .isEqualTo("400 BadDigest");
        assertThat(refusal(() -> s3.headObject(request -> request.bucket("b").key("wrong"))))
                .startsWith("404");
    }

    @Test
    void rangesAndConditions() {
        put("cond", "0123456789");
        String etag = s3.headObject(request -> request.bucket("b").key("cond")).eTag();
        ResponseBytes<GetObjectResponse> part =
                s3.getObjectAsBytes(request -> request.bucket("b").key("cond").range("bytes=2-4"));
        assertThat(part.asUtf8String()).isEqualTo("234");
        assertThat(part.response().contentRange()).isEqualTo("bytes 2-4/10");
        assertThat(refusal(() -> s3.getObjectAsBytes(
                        request -> request.bucket("b").key("cond").range("bytes=10-"))))
                .isEqualTo("416 InvalidRange");
        assertThatThrownBy(() -> s3.getObjectAsBytes(
                        request -> request.bucket("b").key("cond").range("bytes=10-")))
                .isInstanceOfSatisfying(
                        S3Exception.class,
                        e -> assertThat(e.awsErrorDetails().sdkHttpResponse().firstMatchingHeader("content-range"))
                                .contains("bytes */10"));
        assertThat(s3.getObjectAsBytes(
                                request -> request.bucket("b").key("cond").range("bytes=0-0,5-6"))
                        .asUtf8String())
                .isEqualTo("0123456789");
        assertThat(refusal(() -> s3.getObjectAsBytes(
                        request -> request.bucket("b").key("cond").ifNoneMatch(etag))))
                .startsWith("304");
        assertThat(refusal(() -> s3.getObjectAsBytes(
                        request -> request.bucket("b").key("cond").ifMatch("\"other\""))))
                .isEqualTo("412 PreconditionFailed");
        assertThat(s3.getObjectAsBytes(
                                request -> request.bucket("b").key("cond").ifMatch(etag))
                        .asUtf8String())
                .isEqualTo("0123456789");
        assertThat(s3.getObjectAsBytes(request -> request.bucket("b")
                                .key("cond")
                                .responseContentType("text/odd")
                                .responseCacheControl("no-store"))
                        .response()
                        .contentType())
                .isEqualTo("text/odd");
        assertThat(refusal(() -> s3.putObject(
                        request -> request.bucket("b").key("cond").ifNoneMatch("*"), RequestBody.fromString("x"))))
                .isEqualTo("412 PreconditionFailed");
        s3.putObject(request -> request.bucket("b").key("cond-new").ifNoneMatch("*"), RequestBody.fromString("x"));
        assertThat(refusal(
                        () -> s3.getObjectAsBytes(request -> request.bucket("b").key("missing"))))
                .isEqualTo("404 NoSuchKey");
        assertThat(refusal(() ->
                        s3.getObjectAsBytes(request -> request.bucket("nowhere").key("missing"))))
                .isEqualTo("404 NoSuchBucket");
        assertThat(s3.getObjectTagging(request -> request.bucket("b").key("cond"))
                        .tagSet())
                .isEmpty();
    }

    @Test
    void objectsAreCopied() {
        s3.putObject(
                request -> request.bucket("b")
                        .key("from ü+1")
                        .contentType("text/plain")
                        .metadata(Map.of("a", "1")),
                RequestBody.fromString("copied"));
        String etag = s3.copyObject(request -> request.sourceBucket("b")
                        .sourceKey("from ü+1")
                        .destinationBucket("b")
                        .destinationKey("to"))
                .copyObjectResult()
                .eTag();
        GetObjectResponse same =
                s3.getObjectAsBytes(request -> request.bucket("b").key("to")).response();
        assertThat(same.eTag()).isEqualTo(etag);
        assertThat(same.metadata()).isEqualTo(Map.of("a", "1"));
        s3.copyObject(request -> request.sourceBucket("b")
                .sourceKey("to")
                .destinationBucket("b")
                .destinationKey("to")
                .metadataDirective(MetadataDirective.REPLACE)
                .contentType("text/css")
                .metadata(Map.of("b", "2")));
        ResponseBytes<GetObjectResponse> other =
                s3.getObjectAsBytes(request -> request.bucket("b").key("to"));
        assertThat(other.asUtf8String()).isEqualTo("copied");
        assertThat(other.response().contentType()).isEqualTo("text/css");
        assertThat(other.response().metadata()).isEqualTo(Map.of("b", "2"));
        assertThat(refusal(() -> s3.copyObject(request -> request.sourceBucket("b")
                        .sourceKey("to")
                        .destinationBucket("b")
                        .destinationKey("to"))))
                .isEqualTo("400 InvalidRequest");
        assertThat(refusal(() -> s3.copyObject(request -> request.sourceBucket("b")
                        .sourceKey("to")
                        .copySourceIfMatch("\"no\"")
                        .destinationBucket("b")
                        .destinationKey("x"))))
                .isEqualTo("412 PreconditionFailed");
        await().untilAsserted(() -> assertThat(storage.contents("one")).isEqualTo(storage.named("one")));
    }

    @Test
    void objectsAreListedInPages() {
        storage.bucket("one", "list", false);
        List<String> keys = List.of("a/1", "a/2", "a0", "b", "c/d/e", "c/f", "é", "z");
        keys.forEach(key -> s3.putObject(request -> request.bucket("list").key(key), RequestBody.fromString(key)));
        assertThat(s3.listObjectsV2(request -> request.bucket("list")).contents())
                .extracting(S3Object::key)
                .containsExactly("a/1", "a/2", "a0", "b", "c/d/e", "c/f", "z", "é");
        List<String> seen = new ArrayList<>();
        for (ListObjectsV2Response page : s3.listObjectsV2Paginator(
                request -> request.bucket("list").delimiter("/").maxKeys(2))) {
            assertThat(page.keyCount()).isLessThanOrEqualTo(2);
            page.contents().forEach(object -> seen.add(object.key()));
            page.commonPrefixes().forEach(prefix -> seen.add(prefix.prefix()));
        }
        assertThat(seen).containsExactlyInAnyOrder("a/", "a0", "b", "c/", "z", "é");
        ListObjectsV2Response folder = s3.listObjectsV2(
                request -> request.bucket("list").delimiter("/").prefix("c/"));
        assertThat(folder.contents()).extracting(S3Object::key).containsExactly("c/f");
        assertThat(folder.commonPrefixes()).extracting(CommonPrefix::prefix).containsExactly("c/d/");
        assertThat(s3.listObjectsV2(request -> request.bucket("list").startAfter("b"))
                        .contents())
                .extracting(S3Object::key)
                .containsExactly("c/d/e", "c/f", "z", "é");
        assertThat(s3.listObjectsV2(request -> request.bucket("list").maxKeys(0))
                        .contents())
                .isEmpty();

        List<String> old = new ArrayList<>();
        String marker = "";
        ListObjectsResponse page;
        do {
            String from = marker;
            page = s3.listObjects(
                    request -> request.bucket("list").delimiter("/").maxKeys(1).marker(from));
            page.contents().forEach(object -> old.add(object.key()));
            page.commonPrefixes().forEach(prefix -> old.add(prefix.prefix()));
            marker = page.nextMarker();
        } while (page.isTruncated());
        assertThat(old).containsExactly("a/", "a0", "b", "c/", "z", "é");
    }

    @Test
    void objectsAreDeletedWhetherTheyAreThereOrNot() {
        put("gone", "x");
        s3.deleteObject(request -> request.bucket("b").key("gone"));
        s3.deleteObject(request -> request.bucket("b").key("gone"));
        List<ObjectIdentifier> many = IntStream.range(0, 1_000)
                .mapToObj(i -> ObjectIdentifier.builder().key("many/" + i).build())
                .toList();
        put("many/1", "x");
        put("many/999", "x");
        DeleteObjectsResponse deleted =
                s3.deleteObjects(request -> request.bucket("b").delete(all -> all.objects(many)));
        assertThat(deleted.deleted()).hasSize(1_000);
        assertThat(deleted.errors()).isEmpty();
        assertThat(s3.listObjectsV2(request -> request.bucket("b").prefix("many/"))
                        .contents())
                .isEmpty();
        List<ObjectIdentifier> tooMany = new ArrayList<>(many);
        tooMany.add(ObjectIdentifier.builder().key("one more").build());
        assertThat(refusal(() -> s3.deleteObjects(request -> request.bucket("b").delete(all -> all.objects(tooMany)))))
                .isEqualTo("400 MalformedXML");
        await().untilAsserted(() -> assertThat(storage.contents("one")).isEqualTo(storage.named("one")));
    }

    @Test
    void whatThePlatformDoesNotHaveIsSaidToBeMissing() {
        assertThat(refusal(() -> s3.getBucketAcl(request -> request.bucket("b"))))
                .isEqualTo("501 NotImplemented");
        assertThat(refusal(() -> s3.putObject(
                        request -> request.bucket("b").key("t").tagging("a=b"), RequestBody.fromString("x"))))
                .isEqualTo("501 NotImplemented");
        assertThat(refusal(() -> s3.putObject(request -> request.bucket("b").key("a//b"), RequestBody.fromString("x"))))
                .isEqualTo("400 InvalidKey");
    }
}

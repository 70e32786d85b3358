package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static svc.storage.StorageForTests.ALICE;
import static svc.storage.StorageForTests.BOB;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import svc.crds.project.service.StorageSpec;
import svc.storage.s3.signature.RawSignature;
import svc.storage.s3.signature.RawSignature.Signer;

/** An access key is the service role; a user's session token is that user; a form is whoever signed its policy. */
class S3CallersTest {
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

    private static String refusal(ThrowingCallable call) {
        S3Exception[] refused = new S3Exception[1];
        assertThatThrownBy(call).isInstanceOfSatisfying(S3Exception.class, e -> refused[0] = e);
        return refused[0].statusCode() + " " + refused[0].awsErrorDetails().errorCode();
    }

    @Test
    void aSessionTokenSeesAndDoesWhatPoliciesAllowItsUser() {
        S3ForTests.project(storage, "rls");
        storage.policy(
                "rls",
                "FOR ALL TO PUBLIC USING (owner_id = AUTH.uid()::text)"
                        + " WITH CHECK ((STORAGE.foldername(name))[1] = AUTH.uid()::text)");
        storage.policy(
                "rls",
                "FOR SELECT TO PUBLIC USING (name LIKE '%/shown' AND STORAGE.operation() LIKE 'storage.s3.object.%')");
        try (S3Client alice = S3ForTests.client(storage, "rls", S3ForTests.user(storage, "rls", ALICE));
                S3Client bob = S3ForTests.client(storage, "rls", S3ForTests.user(storage, "rls", BOB));
                S3Client service = S3ForTests.client(storage, "rls")) {
            alice.putObject(request -> request.bucket("b").key(ALICE + "/f"), RequestBody.fromString("mine"));
            alice.putObject(request -> request.bucket("b").key(ALICE + "/shown"), RequestBody.fromString("ours"));
            assertThat(refusal(() -> bob.putObject(
                            request -> request.bucket("b").key(ALICE + "/g"), RequestBody.fromString("x"))))
                    .isEqualTo("403 AccessDenied");
            assertThat(alice.listObjectsV2(request -> request.bucket("b")).contents())
                    .extracting(S3Object::key)
                    .containsExactly(ALICE + "/f", ALICE + "/shown");
            assertThat(bob.listObjectsV2(request -> request.bucket("b")).contents())
                    .extracting(S3Object::key)
                    .containsExactly(ALICE + "/shown");
            assertThat(service.listObjectsV2(request -> request.bucket("b")).contents())
                    .hasSize(2);
            assertThat(refusal(() ->
                            bob.getObjectAsBytes(request -> request.bucket("b").key(ALICE + "/f"))))
                    .isEqualTo("404 NoSuchKey");
            assertThat(refusal(() -> bob.copyObject(request -> request.sourceBucket("b")
                            .sourceKey(ALICE + "/f")
                            .destinationBucket("b")
                            .destinationKey(BOB + "/f"))))
                    .isEqualTo("404 NoSuchKey");
            assertThat(refusal(() ->
                            bob.deleteObject(request -> request.bucket("b").key(ALICE + "/shown"))))
                    .isEqualTo("403 AccessDenied");
            bob.deleteObject(request -> request.bucket("b").key(ALICE + "/f"));
            assertThat(bob.deleteObjects(request -> request.bucket("b")
                                    .delete(all -> all.objects(
                                            ObjectIdentifier.builder()
                                                    .key(ALICE + "/shown")
                                                    .build(),
                                            ObjectIdentifier.builder()
                                                    .key(ALICE + "/f")
                                                    .build())))
                            .errors())
                    .extracting("key")
                    .containsExactly(ALICE + "/shown");
            assertThat(service.listObjectsV2(request -> request.bucket("b")).contents())
                    .hasSize(2);
            assertThat(alice.listBuckets().buckets()).isEmpty();
            assertThat(refusal(() -> alice.createBucket(request -> request.bucket("own"))))
                    .isEqualTo("403 AccessDenied");
            assertThat(service.listBuckets().buckets()).extracting(Bucket::name).containsExactly("b");
        }
    }

    @Test
    void aTokenThatTheGatewayRefusesIsRefused() {
        try (S3Client expired = S3ForTests.client(storage, "one", S3ForTests.user(storage, "one", "expired"))) {
            assertThat(refusal(expired::listBuckets)).isEqualTo("403 InvalidToken");
        }
        S3ForTests.project(storage, "other");
        try (S3Client other = S3ForTests.client(storage, "one", S3ForTests.user(storage, "other", ALICE))) {
            assertThat(refusal(other::listBuckets)).isEqualTo("403 InvalidAccessKeyId");
        }
    }

    @Test
    void aProjectMayDisableTheProtocol() {
        S3ForTests.project(storage, "off");
        storage.serve(storage.tenant("off")
                .withStorage(new StorageSpec(null, null, null, null, false)
                        .withAccessKeys(storage.tenant("off").storage().accessKeys())));
        try (S3Client off = S3ForTests.client(storage, "off")) {
            assertThat(refusal(off::listBuckets)).isEqualTo("403 FeatureNotEnabled");
        }
    }

    /** A form whose policy allows keys in a folder and files of 1 to 100 bytes. */
    private static Map<String, String> form(Instant ends) {
        Instant now = Instant.now();
        var signer = new Signer(S3ForTests.KEY_ID, S3ForTests.secret(storage, "one", S3ForTests.KEY_ID), now);
        String time = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'")
                .withZone(ZoneOffset.UTC)
                .format(now);
        String credential = S3ForTests.KEY_ID + "/" + time.substring(0, 8) + "/us-east-1/s3/aws4_request";
        String policy = Base64.getEncoder()
                .encodeToString(("{\"expiration\":\"" + ends + "\",\"conditions\":[{\"bucket\":\"b\"},"
                                + "[\"starts-with\",\"$key\",\"form/\"],[\"content-length-range\",1,100],"
                                + "[\"eq\",\"$Content-Type\",\"text/plain\"],[\"starts-with\",\"$x-amz-meta-tag\",\"\"],"
                                + "{\"success_action_status\":\"201\"},{\"x-amz-algorithm\":\"AWS4-HMAC-SHA256\"},"
                                + "{\"x-amz-credential\":\"" + credential + "\"},{\"x-amz-date\":\"" + time + "\"}]}")
                        .getBytes(StandardCharsets.UTF_8));
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("key", "form/${filename}");
        fields.put("Content-Type", "text/plain");
        fields.put("x-amz-meta-tag", "t");
        fields.put("success_action_status", "201");
        fields.put("x-amz-algorithm", "AWS4-HMAC-SHA256");
        fields.put("x-amz-credential", credential);
        fields.put("x-amz-date", time);
        fields.put("policy", policy);
        fields.put("x-amz-signature", RawSignature.policy(signer, policy));
        return fields;
    }

    private static String post(Map<String, String> fields, String file) throws IOException, InterruptedException {
        var body = new StringBuilder();
        fields.forEach((name, value) -> body.append("--x\r\nContent-Disposition: form-data; name=\"")
                .append(name)
                .append("\"\r\n\r\n")
                .append(value)
                .append("\r\n"));
        body.append("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n")
                .append(file)
                .append("\r\n--x--\r\n");
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(S3ForTests.endpoint(storage, "one") + "/b"))
                                .header("content-type", "multipart/form-data; boundary=x")
                                .POST(BodyPublishers.ofString(body.toString()))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        String text = answer.body();
        int code = text.indexOf("<Code>");
        return answer.statusCode() + (code < 0 ? "" : " " + text.substring(code + 6, text.indexOf("</Code>")));
    }

    private static Map<String, String> with(Map<String, String> form, String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(form);
        changed.put(name, value);
        return changed;
    }

    @Test
    void aFormUploadsWhatItsPolicyAllows() throws IOException, InterruptedException {
        Map<String, String> form = form(Instant.now().plusSeconds(600));
        assertThat(post(form, "from a page")).isEqualTo("201");
        var read = s3.getObjectAsBytes(request -> request.bucket("b").key("form/a.txt"));
        assertThat(read.asUtf8String()).isEqualTo("from a page");
        assertThat(read.response().contentType()).isEqualTo("text/plain");
        assertThat(read.response().metadata()).isEqualTo(Map.of("tag", "t"));

        String denied = "403 AccessDenied";
        assertThat(post(with(form, "key", "elsewhere"), "x")).isEqualTo(denied);
        assertThat(post(with(form, "Content-Type", "text/html"), "x")).isEqualTo(denied);
        assertThat(post(with(form, "acl", "public-read"), "x")).isEqualTo(denied);
        assertThat(post(form, "")).isEqualTo(denied);
        assertThat(post(form, "x".repeat(101))).isEqualTo("413 EntityTooLarge");
        assertThat(post(form(Instant.now().minusSeconds(600)), "x")).isEqualTo(denied);
        assertThat(post(with(form, "x-amz-signature", "0".repeat(64)), "x")).isEqualTo("403 SignatureDoesNotMatch");
        assertThat(post(
                        with(
                                form,
                                "policy",
                                form(Instant.now().plusSeconds(601)).get("policy")),
                        "x"))
                .isEqualTo("403 SignatureDoesNotMatch");
        assertThat(post(with(form, "long", "x".repeat(100_000)), "x")).isEqualTo("400 MaxMessageLengthExceeded");
        assertThat(post(Map.of("key", "form/x"), "x")).isEqualTo("400 InvalidArgument");
        assertThat(s3.listObjectsV2(request -> request.bucket("b").prefix("form/"))
                        .contents())
                .extracting(S3Object::key)
                .isEqualTo(List.of("form/a.txt"));
    }
}

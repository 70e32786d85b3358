package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import svc.storage.s3.signature.RawSignature;
import svc.storage.s3.signature.RawSignature.Signed;
import svc.storage.s3.signature.RawSignature.Signer;

/** What a request claims before its signature is verified costs no more than its bytes, and means what was signed. */
class HostileS3RequestsTest {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static StorageForTests storage;
    private static Signer signer;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        S3ForTests.project(storage, "one");
        signer = new Signer(S3ForTests.KEY_ID, S3ForTests.secret(storage, "one", S3ForTests.KEY_ID), Instant.now());
        try (S3Client s3 = S3ForTests.client(storage, "one")) {
            s3.putObject(request -> request.bucket("b").key("f"), RequestBody.fromString("x"));
        }
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(String path) {
        return URI.create(S3ForTests.endpoint(storage, "one") + path);
    }

    static List<String> lists() {
        return List.of(
                "host;x-amz-content-sha256;x-amz-date" + ";a".repeat(1_000),
                "host;host;x-amz-content-sha256;x-amz-date",
                "x-amz-date;host;x-amz-content-sha256",
                "Host;host;x-amz-content-sha256;x-amz-date",
                "host" + many() + ";x-amz-content-sha256;x-amz-date");
    }

    private static String many() {
        var names = new StringBuilder();
        for (int i = 1_000; i < 1_200; i++) {
            names.append(";i").append(i);
        }
        return names.toString();
    }

    @ParameterizedTest
    @MethodSource("lists")
    void namesOfSignedHeadersAreInOrderUniqueAndFew(String names) throws IOException, InterruptedException {
        Signed signed = RawSignature.sign(signer, "GET", uri("/b/f"), "UNSIGNED-PAYLOAD", Map.of());
        Map<String, String> headers = new LinkedHashMap<>(signed.headers());
        headers.computeIfPresent(
                "Authorization", (name, value) -> value.replaceAll("SignedHeaders=[^,]*", "SignedHeaders=" + names));
        var request = HttpRequest.newBuilder(uri("/b/f")).header("a", "x".repeat(4_000));
        headers.forEach(request::header);
        HttpResponse<String> refused = send(request);
        assertThat(refused.statusCode() + refused.body())
                .startsWith("400")
                .contains("<Code>AuthorizationHeaderMalformed</Code>");

        String date = headers.get("x-amz-date");
        HttpResponse<String> presigned = send(HttpRequest.newBuilder(uri("/b/f?X-Amz-Algorithm=AWS4-HMAC-SHA256"
                        + "&X-Amz-Credential=" + S3ForTests.KEY_ID + "%2F" + date.substring(0, 8)
                        + "%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=" + date + "&X-Amz-Expires=60&X-Amz-Signature="
                        + "0".repeat(64) + "&X-Amz-SignedHeaders=" + names))
                .header("a", "x".repeat(2_000)));
        assertThat(presigned.statusCode() + presigned.body()).startsWith("400").contains("must be signed");
    }

    /** Both spellings have one signature, so they must mean the same. */
    @ParameterizedTest
    @MethodSource("spellings")
    void aSignedQueryMeansWhatWasSigned(String signedQuery, String sentQuery) throws IOException, InterruptedException {
        Signed signed = RawSignature.sign(signer, "GET", uri("/b?" + signedQuery), "UNSIGNED-PAYLOAD", Map.of());
        String[] answers = new String[2];
        int at = 0;
        for (String query : List.of(signedQuery, sentQuery)) {
            var request = HttpRequest.newBuilder(uri("/b?" + query));
            signed.headers().forEach(request::header);
            answers[at++] = send(request).body();
        }
        assertThat(answers[0]).contains("<ListBucketResult");
        assertThat(answers[1]).isEqualTo(answers[0]);
    }

    static List<Arguments> spellings() {
        return List.of(
                Arguments.of("list-type=2&prefix=f%3Bmax-keys%3D0", "list-type=2&prefix=f;max-keys%3D0"),
                Arguments.of("list-type=2&prefix=f%2B", "list-type=2&prefix=f+"));
    }

    @Test
    void aQueryHasAtMost64Parameters() throws IOException, InterruptedException {
        HttpResponse<String> refused = send(HttpRequest.newBuilder(uri("/b?" + "x&".repeat(64) + "x")));
        assertThat(refused.statusCode() + refused.body()).startsWith("400").contains("<Code>InvalidArgument</Code>");
        HttpResponse<String> unsigned = send(HttpRequest.newBuilder(uri("/b?" + "x&".repeat(63) + "x")));
        assertThat(unsigned.statusCode()).isEqualTo(403);
    }

    @Test
    void aKeyIsRefusedBeforeItsFileNamesAreFilledIn() throws IOException, InterruptedException {
        String form = "--x\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n";
        String body = form.formatted("key", "${filename}".repeat(5_000))
                + form.formatted("policy", "e30=")
                + form.formatted("x-amz-credential", S3ForTests.KEY_ID + "/20260101/us-east-1/s3/aws4_request")
                + form.formatted("x-amz-signature", "0".repeat(64))
                + "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + "f".repeat(2_000)
                + "\"\r\n\r\nx\r\n--x--\r\n";
        HttpResponse<String> refused = send(HttpRequest.newBuilder(uri("/b"))
                .header("content-type", "multipart/form-data; boundary=x")
                .POST(BodyPublishers.ofString(body)));
        assertThat(refused.statusCode() + refused.body())
                .startsWith("400")
                .contains("<Code>InvalidKey</Code>")
                .hasSizeLessThan(8_000);
    }
}

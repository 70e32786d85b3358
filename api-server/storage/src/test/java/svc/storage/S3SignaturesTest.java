package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import svc.storage.s3.signature.RawSignature;
import svc.storage.s3.signature.RawSignature.Signed;
import svc.storage.s3.signature.RawSignature.Signer;

/** Only a request that a key of the project has signed as it is, now, does something; a body that is not as signed leaves nothing. */
class S3SignaturesTest {
    private static final String UNSIGNED = "UNSIGNED-PAYLOAD";
    private static final String CHUNKS = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
    private static final String LENGTH = "x-amz-decoded-content-length";

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static StorageForTests storage;
    private static Signer signer;

    @BeforeAll
    static void start() {
        storage = new StorageForTests();
        S3ForTests.project(storage, "one");
        S3ForTests.project(storage, "neighbour");
        signer = signer("one");
        try (S3Client s3 = S3ForTests.client(storage, "one")) {
            s3.putObject(request -> request.bucket("b").key("f"), RequestBody.fromString("secret"));
        }
    }

    @AfterAll
    static void stop() {
        storage.close();
    }

    private static Signer signer(String ref) {
        return new Signer(S3ForTests.KEY_ID, S3ForTests.secret(storage, ref, S3ForTests.KEY_ID), Instant.now());
    }

    private static URI uri(String path) {
        return URI.create(S3ForTests.endpoint(storage, "one") + path);
    }

    private static HttpResponse<String> send(String method, URI uri, Map<String, String> headers, byte[] body) {
        var request = HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        try {
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException("while asking " + uri, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** {@code 403 AccessDenied}. */
    private static String outcome(HttpResponse<String> answer) {
        String body = answer.body();
        int code = body.indexOf("<Code>");
        return answer.statusCode() + (code < 0 ? " " + body : " " + body.substring(code + 6, body.indexOf("</Code>")));
    }

    private static String get(Signed signed, String path) {
        return outcome(send("GET", uri(path), signed.headers(), new byte[0]));
    }

    private static Signed signed(Signer by, String method, String path, Map<String, String> more) {
        return RawSignature.sign(by, method, uri(path), UNSIGNED, more);
    }

    @Test
    void aSignatureIsOfOneRequest() {
        Signed right = signed(signer, "GET", "/b/f", Map.of("x-amz-request-payer", "requester"));
        assertThat(get(right, "/b/f")).isEqualTo("200 secret");
        assertThat(get(right, "/b/g")).isEqualTo("403 SignatureDoesNotMatch");
        assertThat(get(right, "/b/f?response-content-type=x")).isEqualTo("403 SignatureDoesNotMatch");
        assertThat(outcome(send("DELETE", uri("/b/f"), right.headers(), new byte[0])))
                .isEqualTo("403 SignatureDoesNotMatch");
        Map<String, String> changed = new LinkedHashMap<>(right.headers());
        changed.put("x-amz-request-payer", "other");
        assertThat(outcome(send("GET", uri("/b/f"), changed, new byte[0]))).isEqualTo("403 SignatureDoesNotMatch");
        Map<String, String> added = new LinkedHashMap<>(right.headers());
        added.put("x-amz-copy-source", "/b/f");
        assertThat(outcome(send("GET", uri("/b/f"), added, new byte[0]))).isEqualTo("403 AccessDenied");
        assertThat(get(signed(new Signer(signer.accessKey(), "wrong", signer.time()), "GET", "/b/f", Map.of()), "/b/f"))
                .isEqualTo("403 SignatureDoesNotMatch");
    }

    @Test
    void anErrorSaysWhatAndWhere() {
        HttpResponse<String> refused = send(
                "GET",
                uri("/b/m%26m"),
                signed(signer, "GET", "/b/m%26m", Map.of()).headers(),
                new byte[0]);
        assertThat(refused.statusCode()).isEqualTo(404);
        assertThat(refused.headers().firstValue("content-type")).contains("application/xml");
        assertThat(refused.body())
                .contains("<Code>NoSuchKey</Code><Message>Object not found</Message><Resource>/b/m%26m</Resource>"
                        + "<RequestId>test</RequestId>");
    }

    @Test
    void aRequestIsValidForAQuarterOfAnHour() {
        Signed then = signed(signer, "GET", "/b/f", Map.of());
        assertThat(get(then, "/b/f")).isEqualTo("200 secret");
        storage.pass(Duration.ofMinutes(14));
        try {
            assertThat(get(then, "/b/f")).isEqualTo("200 secret");
            storage.pass(Duration.ofMinutes(2));
            assertThat(get(then, "/b/f")).isEqualTo("403 RequestTimeTooSkewed");
            storage.pass(Duration.ofMinutes(-32));
            assertThat(get(then, "/b/f")).isEqualTo("403 RequestTimeTooSkewed");
            storage.pass(Duration.ofMinutes(32));
        } finally {
            storage.pass(Duration.ofMinutes(-16));
        }
    }

    @Test
    void presignedUrlsEnd() {
        try (S3Presigner presigner = S3ForTests.presigner(storage, "one", S3ForTests.service(storage, "one"))) {
            URI put = URI.create(presigner
                    .presignPutObject(request -> request.signatureDuration(Duration.ofMinutes(1))
                            .putObjectRequest(object -> object.bucket("b").key("presigned ü")))
                    .url()
                    .toString());
            byte[] text = "by url".getBytes(StandardCharsets.UTF_8);
            assertThat(send("PUT", put, Map.of(), text).statusCode()).isEqualTo(200);
            URI get = URI.create(presigner
                    .presignGetObject(request -> request.signatureDuration(Duration.ofMinutes(1))
                            .getObjectRequest(object ->
                                    object.bucket("b").key("presigned ü").responseContentType("text/odd")))
                    .url()
                    .toString());
            HttpResponse<String> read = send("GET", get, Map.of(), new byte[0]);
            assertThat(outcome(read)).isEqualTo("200 by url");
            assertThat(read.headers().firstValue("content-type")).contains("text/odd");
            assertThat(outcome(send("DELETE", get, Map.of(), new byte[0]))).isEqualTo("403 SignatureDoesNotMatch");
            URI longer = URI.create(get.toString().replace("X-Amz-Expires=60", "X-Amz-Expires=600"));
            assertThat(outcome(send("GET", longer, Map.of(), new byte[0]))).isEqualTo("403 SignatureDoesNotMatch");
            // The presigner goes by the machine's clock, which the service's has stayed behind.
            Duration later =
                    Duration.between(storage.clock().instant(), Instant.now()).plusSeconds(90);
            storage.pass(later);
            try {
                assertThat(outcome(send("GET", get, Map.of(), new byte[0]))).isEqualTo("403 AccessDenied");
                assertThat(outcome(send("PUT", put, Map.of(), text))).isEqualTo("403 AccessDenied");
            } finally {
                storage.pass(later.negated());
            }
        }
    }

    @Test
    void requestsWithoutAReadableSignatureAreRefused() {
        assertThat(outcome(send("GET", uri("/b/f"), Map.of(), new byte[0]))).isEqualTo("403 AccessDenied");
        assertThat(outcome(send("GET", uri("/b/f"), Map.of("Authorization", "Bearer service"), new byte[0])))
                .isEqualTo("400 InvalidRequest");
        assertThat(outcome(send("GET", uri("/b/f"), Map.of("Authorization", "AWS a:b"), new byte[0])))
                .isEqualTo("400 InvalidRequest");
        Map<String, String> headers =
                new LinkedHashMap<>(signed(signer, "GET", "/b/f", Map.of()).headers());
        headers.merge("Authorization", "", (given, none) -> given.replace("/s3/", "/iam/"));
        assertThat(outcome(send("GET", uri("/b/f"), headers, new byte[0])))
                .isEqualTo("400 AuthorizationHeaderMalformed");
        headers.put("Authorization", "AWS4-HMAC-SHA256 Credential=,,=,;");
        assertThat(outcome(send("GET", uri("/b/f"), headers, new byte[0])))
                .isEqualTo("400 AuthorizationHeaderMalformed");
        assertThat(outcome(send(
                        "GET",
                        uri("/b/f?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=%FF&X-Amz-Expires=99999999999"),
                        Map.of(),
                        new byte[0])))
                .isEqualTo("400 AuthorizationQueryParametersError");
    }

    @Test
    void keysOfOneProjectAreWorthNothingInAnother() {
        assertThat(get(signed(signer("neighbour"), "GET", "/b/f", Map.of()), "/b/f"))
                .isEqualTo("403 SignatureDoesNotMatch");
        String other = "f".repeat(32);
        var unknown = new Signer(other, S3ForTests.secret(storage, "one", other), Instant.now());
        assertThat(get(signed(unknown, "GET", "/b/f", Map.of()), "/b/f")).isEqualTo("403 InvalidAccessKeyId");
        S3ForTests.withKeys(storage, "one", S3ForTests.KEY_ID, other);
        assertThat(get(signed(unknown, "GET", "/b/f", Map.of()), "/b/f")).isEqualTo("200 secret");
        S3ForTests.withKeys(storage, "one", S3ForTests.KEY_ID);
        assertThat(get(signed(unknown, "GET", "/b/f", Map.of()), "/b/f")).isEqualTo("403 InvalidAccessKeyId");
    }

    @Test
    void theAddressThatTheClientSawMayBeThePublicOne() {
        URI seen = URI.create(storage.tenant("one").storageUrl() + "/s3/b/f");
        Signed signed = RawSignature.sign(signer, "GET", seen, UNSIGNED, Map.of());
        assertThat(get(signed, "/b/f")).isEqualTo("200 secret");
        Signed elsewhere =
                RawSignature.sign(signer, "GET", URI.create("http://elsewhere.example/s3/b/f"), UNSIGNED, Map.of());
        Map<String, String> forwarded = new LinkedHashMap<>(elsewhere.headers());
        forwarded.put("x-forwarded-host", "elsewhere.example");
        // Only a trusted proxy may say which host the client has called.
        assertThat(outcome(send("GET", uri("/b/f"), forwarded, new byte[0]))).isEqualTo("403 SignatureDoesNotMatch");
    }

    private static String put(Signed signed, byte[] body) {
        return outcome(send("PUT", uri("/b/put"), signed.headers(), body));
    }

    @Test
    void aBodyIsTheOneThatWasSigned() {
        byte[] text = "signed".getBytes(StandardCharsets.US_ASCII);
        Signed whole = RawSignature.sign(signer, "PUT", uri("/b/put"), RawSignature.hash("signed"), Map.of());
        assertThat(put(whole, text)).isEqualTo("200 ");
        assertThat(put(whole, "forged".getBytes(StandardCharsets.US_ASCII))).isEqualTo("400 XAmzContentSHA256Mismatch");
        assertThat(put(whole, new byte[7 << 20])).isEqualTo("400 XAmzContentSHA256Mismatch");
        assertThat(get(signed(signer, "GET", "/b/put", Map.of()), "/b/put")).isEqualTo("200 signed");
        assertNothingIsLeft();
    }

    private static Signed chunks(int length, String kind, Map<String, String> more) {
        Map<String, String> headers = new LinkedHashMap<>(more);
        headers.put(LENGTH, Integer.toString(length));
        return RawSignature.sign(signer, "PUT", uri("/b/put"), kind, headers);
    }

    @Test
    void chunksAreTheOnesThatWereSigned() {
        // No digits of hexadecimal numbers: what is replaced below is content, and never a part of a signature.
        List<String> parts = List.of("p".repeat(9_000), "q".repeat(9_000), "r".repeat(100));
        Signed right = chunks(18_100, CHUNKS, Map.of());
        byte[] body = right.chunked(parts, "");
        assertThat(put(right, body)).isEqualTo("200 ");
        String text = new String(body, StandardCharsets.US_ASCII);
        assertThat(put(right, text.replaceFirst("qqq", "qqx").getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("403 SignatureDoesNotMatch");
        // The second chunk is left out: the third one's signature follows another.
        int second = text.indexOf("2328;", 10);
        int third = text.indexOf("64;");
        assertThat(put(right, (text.substring(0, second) + text.substring(third)).getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("403 SignatureDoesNotMatch");
        assertThat(put(right, text.substring(0, third).getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("400 IncompleteBody");
        assertThat(put(right, (text + "more").getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("400 IncompleteBody");
        assertThat(put(right, "zz;chunk-signature=1\r\n".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("400 IncompleteBody");
        assertThat(put(right, "7fffffffffffffff;chunk-signature=".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("400 IncompleteBody");
        Signed shorter = chunks(18_099, CHUNKS, Map.of());
        assertThat(put(shorter, shorter.chunked(parts, ""))).isEqualTo("400 IncompleteBody");
        Signed longer = chunks(18_101, CHUNKS, Map.of());
        assertThat(put(longer, longer.chunked(parts, ""))).isEqualTo("400 IncompleteBody");
        Signed large = chunks(12_600_000, CHUNKS, Map.of());
        String big = "x".repeat(6_300_000);
        String wrong = new String(large.chunked(List.of(big, big), ""), StandardCharsets.US_ASCII);
        int last = wrong.lastIndexOf("xx");
        assertThat(put(
                        large,
                        (wrong.substring(0, last) + "y" + wrong.substring(last + 1))
                                .getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("403 SignatureDoesNotMatch");
        assertNothingIsLeft();
    }

    @Test
    void trailersAreWhatTheyWereAnnouncedToBe() {
        String kind = CHUNKS + "-TRAILER";
        Map<String, String> announced = Map.of("x-amz-trailer", "x-amz-checksum-crc32");
        Signed right = chunks(9, kind, announced);
        List<String> parts = List.of("123456789");
        assertThat(put(right, right.chunked(parts, "x-amz-checksum-crc32:y/Q5Jg==")))
                .isEqualTo("200 ");
        assertThat(put(right, right.chunked(parts, "x-amz-checksum-crc32:AAAAAA==")))
                .isEqualTo("400 BadDigest");
        assertThat(put(right, right.chunked(parts, "x-amz-checksum-crc32c:4waSgw==")))
                .isEqualTo("400 MalformedTrailerError");
        assertThat(put(right, right.chunked(parts, "no colon"))).isEqualTo("400 MalformedTrailerError");
        String signed = new String(right.chunked(parts, "x-amz-checksum-crc32:y/Q5Jg=="), StandardCharsets.US_ASCII);
        assertThat(put(
                        right,
                        signed.replaceAll("trailer-signature:.{4}", "trailer-signature:0000")
                                .getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("403 SignatureDoesNotMatch");
        assertThat(put(
                        chunks(9, "STREAMING-UNSIGNED-PAYLOAD-TRAILER", announced),
                        "9\r\n123456789\r\n0\r\nx-amz-checksum-crc32:y/Q5Jg==\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("200 ");
        assertThat(put(
                        chunks(9, "STREAMING-UNSIGNED-PAYLOAD-TRAILER", announced),
                        "9\r\n123456780\r\n0\r\nx-amz-checksum-crc32:y/Q5Jg==\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("400 BadDigest");
        assertThat(put(chunks(9, "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD", Map.of()), new byte[0]))
                .isEqualTo("400 InvalidArgument");
        assertNothingIsLeft();
    }

    private static void assertNothingIsLeft() {
        await().untilAsserted(() -> {
            assertThat(storage.contents("one")).isEqualTo(storage.named("one"));
            assertThat(storage.unfinished("one")).isZero();
            assertThat(storage.idle()).isTrue();
        });
    }

    private static String post(String path, String document) {
        Signed signed = RawSignature.sign(signer, "POST", uri(path), RawSignature.hash(document), Map.of());
        return outcome(send("POST", uri(path), signed.headers(), document.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<",
                "<Delete/>",
                "<Other><Object><Key>a</Key></Object></Other>",
                "<Delete><Object><Key>a</Key></Object>",
                "<Delete><Object><Key></Key></Object></Delete>",
                "<!DOCTYPE Delete [<!ENTITY a \"x\">]><Delete><Object><Key>&a;</Key></Object></Delete>",
                "<!DOCTYPE Delete SYSTEM \"file:///etc/passwd\"><Delete><Object><Key>f</Key></Object></Delete>",
                "<!DOCTYPE l [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">]><Delete>&b;</Delete>",
                "<Delete><Object><Key>&undeclared;</Key></Object></Delete>",
                "<Delete><Object><Key>a&#0;</Key></Object></Delete>",
            })
    void documentsThatAreNoneAreRefused(String document) {
        assertThat(post("/b?delete", document)).isEqualTo("400 MalformedXML");
        assertThat(get(signed(signer, "GET", "/b/f", Map.of()), "/b/f")).isEqualTo("200 secret");
    }

    @Test
    void documentsAreBounded() {
        assertThat(post("/b?delete", "<Delete>".repeat(100_000))).isEqualTo("400 MalformedXML");
        assertThat(post("/b?delete", "<Delete>" + "<a/>".repeat(500_000) + "</Delete>"))
                .isEqualTo("400 MalformedXML");
        assertThat(post("/b?delete", "<Delete " + "a".repeat(1_000_000) + "=\"\"/>"))
                .isEqualTo("400 MalformedXML");
        assertThat(post("/b?delete", "<Delete>" + "<Object><Key>f</Key></Object>".repeat(1_000_000) + "</Delete>"))
                .isEqualTo("400 MaxMessageLengthExceeded");
        assertThat(post("/b?delete", "<Delete>" + "<Object><Key>f</Key></Object>".repeat(10_000) + "</Delete>"))
                .isEqualTo("400 MalformedXML");
        assertThat(get(signed(signer, "GET", "/b/f", Map.of()), "/b/f")).isEqualTo("200 secret");
        await().untilAsserted(() -> assertThat(storage.idle()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/b?list-type=2&max-keys=-1",
                "/b?max-keys=x",
                "/b?list-type=2&continuation-token=*",
                "/b?list-type=2&encoding-type=base64",
                "/b?list-type=2&prefix=%00",
                "/b/%FF",
                "/%00/x",
                "/b/f?uploadId=x&part-number-marker=y",
            })
    void oddParametersHaveAnAnswer(String path) {
        assertThat(get(signed(signer, "GET", path, Map.of()), path)).startsWith("40");
    }
}

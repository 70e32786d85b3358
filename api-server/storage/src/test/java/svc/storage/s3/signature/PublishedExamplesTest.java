package svc.storage.s3.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.MultiMap;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import svc.storage.s3.signature.Verified.ChunkSigner;
import svc.storage.s3.xml.S3Error;

/** The examples that AWS publishes of Signature Version 4 for S3. */
class PublishedExamplesTest {
    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    private static final CredentialScope SCOPE =
            new CredentialScope("AKIAIOSFODNN7EXAMPLE", "20130524", "us-east-1", "s3");
    private static final String TIME = "20130524T000000Z";
    private static final byte[] KEY = SigV4.key(SECRET, SCOPE);
    private static final byte[] CONTENT = "a".repeat(66_560).getBytes(StandardCharsets.US_ASCII);

    private static String sign(SignedRequest request, String host, String path, List<String> signed, String payload) {
        String canonical = request.canonical(
                SignedAddress.of(host, path, SignedAddress.Forwarded.NOTHING, "http://x", "")
                        .getFirst(),
                signed,
                payload);
        return SigV4.sign(KEY, "AWS4-HMAC-SHA256\n" + TIME + "\n" + SCOPE.text() + "\n" + SigV4.sha256(canonical));
    }

    private static MultiMap headers(String... pairs) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        for (int i = 0; i < pairs.length; i += 2) {
            headers.add(pairs[i], pairs[i + 1]);
        }
        return headers;
    }

    @Test
    void getObjectWithARange() {
        var request = new SignedRequest(
                "GET", "", headers("Range", "bytes=0-9", "x-amz-content-sha256", SigV4.EMPTY, "x-amz-date", TIME));
        assertThat(sign(
                        request,
                        "examplebucket.s3.amazonaws.com",
                        "/test.txt",
                        List.of("host", "range", "x-amz-content-sha256", "x-amz-date"),
                        SigV4.EMPTY))
                .isEqualTo("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
    }

    @Test
    void putObjectWhoseNameHasADollarSign() {
        String hash = SigV4.sha256("Welcome to Amazon S3.");
        var request = new SignedRequest(
                "PUT",
                "",
                headers(
                        "Date",
                        "Fri, 24 May 2013 00:00:00 GMT",
                        "x-amz-content-sha256",
                        hash,
                        "x-amz-date",
                        TIME,
                        "x-amz-storage-class",
                        "REDUCED_REDUNDANCY"));
        assertThat(sign(
                        request,
                        "examplebucket.s3.amazonaws.com",
                        "/test$file.text",
                        List.of("date", "host", "x-amz-content-sha256", "x-amz-date", "x-amz-storage-class"),
                        hash))
                .isEqualTo("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
    }

    @Test
    void parametersWithAndWithoutValues() {
        MultiMap headers = headers("x-amz-content-sha256", SigV4.EMPTY, "x-amz-date", TIME);
        List<String> signed = List.of("host", "x-amz-content-sha256", "x-amz-date");
        String host = "examplebucket.s3.amazonaws.com";
        assertThat(sign(new SignedRequest("GET", "lifecycle", headers), host, "/", signed, SigV4.EMPTY))
                .isEqualTo("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
        assertThat(sign(new SignedRequest("GET", "prefix=J&max-keys=2", headers), host, "/", signed, SigV4.EMPTY))
                .isEqualTo("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
    }

    @Test
    void aPresignedUrl() {
        String query = "X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
        var request = new SignedRequest("GET", query, headers());
        Presented presented = Presented.of(request);
        assertThat(sign(request, "examplebucket.s3.amazonaws.com", "/test.txt", List.of("host"), presented.payload()))
                .isEqualTo(presented.signature());
    }

    private static String chunk(int size, String signature) {
        return Integer.toHexString(size) + ";chunk-signature=" + signature + "\r\n" + "a".repeat(size) + "\r\n";
    }

    private static byte[] read(String body, String seed, boolean trailing) throws IOException {
        var signer = new ChunkSigner(KEY, TIME, SCOPE, seed);
        return new AwsChunkedStream(
                        new ByteArrayInputStream(body.getBytes(StandardCharsets.US_ASCII)),
                        Optional.of(signer),
                        trailing)
                .readAllBytes();
    }

    @Test
    void signedChunks() throws IOException {
        String seed = "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9";
        String body = chunk(65_536, "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648")
                + chunk(1_024, "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497")
                + chunk(0, "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9");
        assertThat(read(body, seed, false)).isEqualTo(CONTENT);
        assertThatThrownBy(() -> read(body.replaceFirst("aaa", "aab"), seed, false))
                .isInstanceOf(S3Error.class)
                .hasMessageContaining("signature");
        assertThatThrownBy(() -> read(body.substring(0, body.length() - 90), seed, false))
                .isInstanceOf(S3Error.class);
    }

    @Test
    void signedChunksWithATrailer() throws IOException {
        String seed = "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e";
        String body = chunk(65_536, "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2")
                + chunk(1_024, "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7")
                + "0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\n"
                + "x-amz-checksum-crc32c:sOO8/Q==\r\n"
                + "x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n";
        assertThat(read(body, seed, true)).isEqualTo(CONTENT);
        assertThatThrownBy(() -> read(body.replace("sOO8", "sOO9"), seed, true))
                .isInstanceOf(S3Error.class)
                .hasMessageContaining("signature");
    }

    @Test
    void checksums() {
        byte[] text = "123456789".getBytes(StandardCharsets.US_ASCII);
        assertThat(sum("crc32", text)).isEqualTo("y/Q5Jg==");
        assertThat(sum("crc32c", text)).isEqualTo("4waSgw==");
        // The check value of the NVMe specification: ae8b14860a799888.
        assertThat(sum("crc64nvme", text)).isEqualTo("rosUhgp5mIg=");
        assertThat(sum("crc32c", CONTENT)).isEqualTo("sOO8/Q==");
    }

    private static String sum(String algorithm, byte[] content) {
        ContentDigest digest = ContentDigest.of(algorithm).orElseThrow();
        digest.update(content, 0, content.length);
        return digest.base64();
    }
}

package svc.server.cost;

import static svc.server.cost.Dimension.head;
import static svc.server.cost.Dimension.numbered;
import static svc.server.cost.Shape.repeat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** {@link Products} of storage: signatures of the S3 protocol, forms, and headers of resumable uploads. */
final class StorageProducts {
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("yyyyMMdd").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final String host;
    private final String ref;
    private final String key;
    private final int bodyBytes;

    /** @param key a project's anon key */
    StorageProducts(String host, String ref, String key, int bodyBytes) {
        this.host = host;
        this.ref = ref;
        this.key = key;
        this.bodyBytes = bodyBytes;
    }

    Stream<Dimension> all() {
        return Stream.of(signatures(), forms()).flatMap(List::stream);
    }

    private Call keyed(String method, String path) {
        return Call.of(method, host, path).with("apikey: " + key);
    }

    private Dimension body(String name, IntFunction<Call> call) {
        return new Dimension(name, bodyBytes, call);
    }

    private String credential() {
        return ref + "/" + DAY.format(Instant.now()) + "/us-east-1/s3/aws4_request";
    }

    /** A request of the S3 protocol with the anon key's session, whose signature is wrong. */
    private Call signed(String names) {
        return Call.of("GET", host, "/storage/v1/s3/b/o")
                .with("x-amz-date: " + TIME.format(Instant.now()))
                .with("x-amz-content-sha256: UNSIGNED-PAYLOAD")
                .with("x-amz-security-token: a.b.c")
                .with("Authorization: AWS4-HMAC-SHA256 Credential=" + credential()
                        + ", SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token" + names
                        + ", Signature=" + "0".repeat(64));
    }

    private Call presigned(String names) {
        return Call.of(
                "GET",
                host,
                "/storage/v1/s3/b/o?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" + credential() + "&X-Amz-Date="
                        + TIME.format(Instant.now())
                        + "&X-Amz-Expires=60&X-Amz-Security-Token=a.b.c&X-Amz-SignedHeaders=host"
                        + names + "&X-Amz-Signature=" + "0".repeat(64));
    }

    private List<Dimension> signatures() {
        return List.of(
                head(
                        "S3: a long header signed again and again",
                        n -> signed(repeat(";a", n / 2)).with("a: " + repeat("x", n / 2))),
                head(
                        "S3: a header of many values signed again and again",
                        n -> signed(repeat(";a", n / 2)).with("a: x" + repeat("\r\na: x", n / 2))),
                head(
                        "S3: many signed headers",
                        n -> signed(numbered(";a", "", n / 2)).with("a: b" + numbered("\r\na", ": b", n / 2))),
                head(
                        "S3: a long header signed again and again in a query",
                        n -> presigned(repeat(";a", n / 2)).with("a: " + repeat("x", n / 2))),
                head("S3: many parameters", n -> {
                    Call call = presigned("");
                    return call.withQuery(call.query() + numbered("&p", "=%CC%80", n));
                }),
                head("S3: blanks in a signed header", n -> signed(";a").with("a: x" + repeat(" ", n) + "x")));
    }

    private static String part(String name, String value) {
        return "--x\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
    }

    private Call post(String type, String parts) {
        return Call.of("POST", host, "/storage/v1/s3/b")
                .with("Content-Type: multipart/form-data; boundary=" + type)
                .withBody(parts);
    }

    private String form(String formKey, String file, String more) {
        return part("key", formKey) + part("x-amz-credential", credential()) + part("x-amz-security-token", "a.b.c")
                + part("policy", "e30=") + part("x-amz-signature", "0".repeat(64)) + more
                + "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + file
                + "\"\r\n\r\nx\r\n--x--\r\n";
    }

    private List<Dimension> forms() {
        return List.of(
                head(
                        "S3 form: the name of the file again and again in the key",
                        n -> post("x", form(repeat("${filename}", n), "f".repeat(n / 8), ""))),
                head("S3 form: a long boundary", n -> post(repeat("x", n), "--x--\r\n")),
                body("S3 form: many fields", n -> post("x", form("k", "f", repeat(part("a", "b"), n)))),
                head("S3 form: a long name of a field", n -> post("x", form("k", "f", part(repeat("a", n / 8), "b")))),
                body("S3 form: marks in the key", n -> post("x", form(Shape.COMBINING_MARKS.text(n), "f", ""))),
                body(
                        "storage form: metadata",
                        n -> keyed("POST", "/storage/v1/object/b/o")
                                .with("Content-Type: multipart/form-data; boundary=x")
                                .withBody(part("metadata", "{" + numbered("\"p", "\":1,", n) + "\"a\":1}")
                                        + part("cacheControl", repeat("1", n / 8)) + "--x--\r\n")),
                head(
                        "storage form: a long boundary",
                        n -> keyed("POST", "/storage/v1/object/b/o")
                                .with("Content-Type: multipart/form-data; boundary=" + repeat("x", n))
                                .withBody("--x--\r\n")),
                head(
                        "resumable upload: many members of metadata",
                        n -> keyed("POST", "/storage/v1/upload/resumable")
                                .with("Tus-Resumable: 1.0.0")
                                .with("Upload-Length: 0")
                                .with("Upload-Metadata: bucketName Yg==" + numbered(",p", " YQ==", n))),
                head(
                        "resumable upload: many parts of one",
                        n -> keyed("POST", "/storage/v1/upload/resumable")
                                .with("Tus-Resumable: 1.0.0")
                                .with("Upload-Metadata: bucketName Yg==,objectName eA==")
                                .with("Upload-Concat: final" + repeat(";/storage/v1/upload/resumable/a ", n))));
    }
}

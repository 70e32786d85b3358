package svc.platform.s3;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

/**
 * Signs reads of the platform's bucket (SigV4) for a client other than the SDK's, which blocks a thread for each call. Does
 * not block itself, as long as its credentials are at hand. The key of a day is kept.
 */
public final class SignedReads {
    private static final String HMAC = "HmacSHA256";

    /** SHA-256 of nothing: there is no payload. */
    private static final String EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final int DATE_LENGTH = "yyyyMMdd".length();

    private final URI root;
    private final String host;
    private final String region;
    private final AwsCredentialsProvider credentials;
    private final Clock clock;
    private volatile Key key;

    /** @param root of the bucket's keys, with a slash at its end */
    SignedReads(URI root, String region, AwsCredentialsProvider credentials, Clock clock) {
        this.root = root;
        this.host = host(root);
        this.region = region;
        this.credentials = credentials;
        this.clock = clock;
    }

    /** As the client sends it: without the port that the scheme has anyway. */
    private static String host(URI root) {
        int usual = "https".equals(root.getScheme()) ? 443 : 80;
        return root.getPort() < 0 || root.getPort() == usual ? root.getHost() : root.getHost() + ":" + root.getPort();
    }

    /**
     * A request that can be sent within a few minutes.
     *
     * @param headers of it; {@code Host} is among them
     */
    public record SignedRead(URI address, Map<String, String> headers) {}

    /** The signing key of one secret on one day. */
    private record Key(String secret, String date, SecretKeySpec signing) {}

    /**
     * A read of some bytes of an object.
     *
     * @param objectKey of characters that a URL has as they are
     * @param last inclusive
     */
    public SignedRead of(String objectKey, long first, long last) {
        AwsCredentials identity = credentials.resolveCredentials();
        URI address = root.resolve(objectKey);
        String time = TIME.format(Instant.now(clock));
        // Sorted by their names, as the signature has them.
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("host", host);
        headers.put("range", "bytes=" + first + "-" + last);
        headers.put("x-amz-content-sha256", EMPTY);
        headers.put("x-amz-date", time);
        if (identity instanceof AwsSessionCredentials session) {
            headers.put("x-amz-security-token", session.sessionToken());
        }
        headers.put("authorization", authorization(identity, address, headers, time));
        return new SignedRead(address, headers);
    }

    private String authorization(AwsCredentials identity, URI address, Map<String, String> headers, String time) {
        String date = time.substring(0, DATE_LENGTH);
        String names = String.join(";", headers.keySet());
        var request = new StringBuilder("GET\n").append(address.getRawPath()).append("\n\n");
        headers.forEach(
                (name, value) -> request.append(name).append(':').append(value).append('\n'));
        request.append('\n').append(names).append('\n').append(EMPTY);
        String scope = date + "/" + region + "/s3/aws4_request";
        String toSign = "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + sha256(request.toString());
        String signature = HexFormat.of().formatHex(hmac(key(identity.secretAccessKey(), date), toSign));
        return "AWS4-HMAC-SHA256 Credential=" + identity.accessKeyId() + "/" + scope + ", SignedHeaders=" + names
                + ", Signature=" + signature;
    }

    private SecretKeySpec key(String secret, String date) {
        Key known = key;
        if (known == null || !known.date().equals(date) || !known.secret().equals(secret)) {
            byte[] day = hmac(secretKey(("AWS4" + secret).getBytes(StandardCharsets.UTF_8)), date);
            byte[] service = hmac(secretKey(hmac(secretKey(day), region)), "s3");
            known = new Key(secret, date, secretKey(hmac(secretKey(service), "aws4_request")));
            key = known;
        }
        return known.signing();
    }

    private static SecretKeySpec secretKey(byte[] bytes) {
        return new SecretKeySpec(bytes, HMAC);
    }

    private static byte[] hmac(SecretKeySpec key, String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + HMAC, e);
        }
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

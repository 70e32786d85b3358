package svc.storage.s3.signature;

import io.vertx.core.MultiMap;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import svc.storage.s3.signature.Verified.ChunkSigner;

/** Signs requests that no client library would send. */
public final class RawSignature {
    private RawSignature() {}

    /** A signed request: its headers, and what signs its chunks. */
    public record Signed(Map<String, String> headers, ChunkSigner signer) {
        /**
         * A body in signed chunks.
         *
         * @param trailer {@code name:value}; empty without one
         */
        public byte[] chunked(List<String> chunks, String trailer) {
            var body = new StringBuilder();
            String previous = signer.seed();
            List<String> all = new ArrayList<>(chunks);
            all.add("");
            for (String chunk : all) {
                previous = signer.sign("AWS4-HMAC-SHA256-PAYLOAD", previous, SigV4.EMPTY + "\n" + SigV4.sha256(chunk));
                body.append(Integer.toHexString(chunk.length()))
                        .append(";chunk-signature=")
                        .append(previous)
                        .append("\r\n");
                if (!chunk.isEmpty()) {
                    body.append(chunk).append("\r\n");
                }
            }
            if (!trailer.isEmpty()) {
                body.append(trailer)
                        .append("\r\nx-amz-trailer-signature:")
                        .append(signer.sign("AWS4-HMAC-SHA256-TRAILER", previous, SigV4.sha256(trailer + "\n")))
                        .append("\r\n");
            }
            return body.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** The secret and the day of a signature. */
    public record Signer(String accessKey, String secret, Instant time) {}

    /** @param more headers, which are signed too */
    public static Signed sign(Signer by, String method, URI uri, String payload, Map<String, String> more) {
        String time = Presented.TIME.format(by.time());
        var scope = new CredentialScope(by.accessKey(), time.substring(0, 8), "us-east-1", "s3");
        Map<String, String> headers = new TreeMap<>(more);
        headers.put("x-amz-date", time);
        headers.put("x-amz-content-sha256", payload);
        List<String> signed = new ArrayList<>(headers.keySet());
        signed.add("host");
        signed.sort(null);
        MultiMap all = MultiMap.caseInsensitiveMultiMap();
        headers.forEach(all::add);
        byte[] key = SigV4.key(by.secret(), scope);
        String canonical = new SignedRequest(
                        method, Optional.ofNullable(uri.getRawQuery()).orElse(""), all)
                .canonical(new SignedAddress(uri.getAuthority(), uri.getRawPath()), signed, payload);
        String signature =
                SigV4.sign(key, SigV4.ALGORITHM + "\n" + time + "\n" + scope.text() + "\n" + SigV4.sha256(canonical));
        headers.put(
                "Authorization",
                SigV4.ALGORITHM + " Credential=" + by.accessKey() + "/" + scope.text() + ", SignedHeaders="
                        + String.join(";", signed) + ", Signature=" + signature);
        return new Signed(headers, new ChunkSigner(key, time, scope, signature));
    }

    public static String hash(String text) {
        return SigV4.sha256(text);
    }

    /** The signature of a policy. */
    public static String policy(Signer by, String base64) {
        String time = Presented.TIME.format(by.time());
        return SigV4.sign(
                SigV4.key(by.secret(), new CredentialScope(by.accessKey(), time.substring(0, 8), "us-east-1", "s3")),
                base64);
    }
}

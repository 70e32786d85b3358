package svc.storage.s3.signature;

import com.google.re2j.Pattern;
import io.vertx.core.MultiMap;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import svc.storage.s3.xml.S3Error;

/**
 * The content of a body, verified while it is read: against the hash or the chunks of the signature, its length, and the
 * checksums that the client declares. It ends without a failure only if all of them are right; what is made of the content
 * before that must not be kept.
 */
public final class Payload extends InputStream {
    static final String UNSIGNED = "UNSIGNED-PAYLOAD";

    private static final String SIGNED_CHUNKS = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
    private static final String SIGNED_CHUNKS_TRAILER = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER";
    private static final String UNSIGNED_CHUNKS_TRAILER = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern MD5 = Pattern.compile("[A-Za-z0-9+/]{22}==");
    private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");
    private static final String CHECKSUM = "x-amz-checksum-";
    private static final List<String> NO_CHECKSUMS = List.of("algorithm", "mode", "type");
    private static final int BUFFER = 16 << 10;

    private final InputStream content;
    private final OptionalLong length;
    private final List<Expectation> expectations;
    private long received;
    private boolean ended;

    /**
     * Something that the content must be.
     *
     * @param what in the words of the header
     * @param trailing where the value comes behind the content
     */
    private record Expectation(String what, ContentDigest digest, Optional<String> value, boolean trailing) {}

    private Payload(InputStream content, OptionalLong length, List<Expectation> expectations) {
        this.content = content;
        this.length = length;
        this.expectations = expectations;
    }

    /**
     * The content of a request's body.
     *
     * @throws S3Error for a kind of payload that is not supported, or without a length
     */
    public static Payload of(Verified request, MultiMap headers, InputStream body) {
        return of(request, headers, body, new ArrayList<>(declared(headers)));
    }

    /** The content of a body beside which checksums of something else are declared. */
    public static Payload ofDocument(Verified request, MultiMap headers, InputStream body) {
        return of(request, headers, body, new ArrayList<>());
    }

    private static Payload of(Verified request, MultiMap headers, InputStream body, List<Expectation> expectations) {
        return switch (request.payload()) {
            case UNSIGNED -> new Payload(body, length(headers, "content-length"), expectations);
            case SIGNED_CHUNKS -> chunked(request, headers, body, expectations, true, false);
            case SIGNED_CHUNKS_TRAILER -> chunked(request, headers, body, expectations, true, true);
            case UNSIGNED_CHUNKS_TRAILER -> chunked(request, headers, body, expectations, false, true);
            case String hash
            when HASH.matcher(hash).matches() -> {
                expectations.add(new Expectation("x-amz-content-sha256", new HexHash(), Optional.of(hash), false));
                yield new Payload(body, length(headers, "content-length"), expectations);
            }
            default ->
                throw S3Error.invalidArgument(
                        "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER,"
                                + " STREAMING-AWS4-HMAC-SHA256-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER or a"
                                + " valid sha256 value.");
        };
    }

    private static Payload chunked(
            Verified request,
            MultiMap headers,
            InputStream body,
            List<Expectation> expectations,
            boolean signed,
            boolean trailing) {
        if (signed && request.chunks().isEmpty()) {
            throw S3Error.invalidRequest("A presigned URL cannot sign chunks.");
        }
        OptionalLong length = length(headers, "x-amz-decoded-content-length");
        if (length.isEmpty()) {
            throw S3Error.missingLength();
        }
        if (trailing) {
            expectations.addAll(trailing(headers));
        }
        var chunks = new AwsChunkedStream(
                new BufferedInputStream(body, BUFFER), signed ? request.chunks() : Optional.empty(), trailing);
        return new Payload(chunks, length, expectations);
    }

    private static OptionalLong length(MultiMap headers, String name) {
        String value = headers.get(name);
        if (value == null) {
            return OptionalLong.empty();
        }
        if (!LENGTH.matcher(value).matches()) {
            throw S3Error.invalidArgument(name + " must be a number of bytes.");
        }
        return OptionalLong.of(Long.parseLong(value));
    }

    private static List<Expectation> declared(MultiMap headers) {
        List<Expectation> declared = new ArrayList<>();
        String md5 = headers.get("content-md5");
        if (md5 != null) {
            if (!MD5.matcher(md5).matches()) {
                throw S3Error.invalidDigest("Content-MD5");
            }
            declared.add(new Expectation("Content-MD5", ContentDigest.md5(), Optional.of(md5), false));
        }
        for (Map.Entry<String, String> header : headers) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (name.startsWith(CHECKSUM) && !NO_CHECKSUMS.contains(name.substring(CHECKSUM.length()))) {
                declared.add(new Expectation(name, digest(name), Optional.of(header.getValue()), false));
            }
        }
        return declared;
    }

    /** @throws S3Error when a trailer is announced that is no checksum */
    private static List<Expectation> trailing(MultiMap headers) {
        List<Expectation> expectations = new ArrayList<>();
        String announced = headers.get("x-amz-trailer");
        for (String each : (announced == null ? "" : announced).split(",")) {
            String name = each.strip().toLowerCase(Locale.ROOT);
            if (!name.isEmpty()) {
                expectations.add(new Expectation(name, digest(name), Optional.empty(), true));
            }
        }
        return expectations;
    }

    private static ContentDigest digest(String name) {
        return Optional.of(name)
                .filter(text -> text.startsWith(CHECKSUM))
                .flatMap(text -> ContentDigest.of(text.substring(CHECKSUM.length())))
                .orElseThrow(() -> S3Error.invalidRequest("The checksum " + name + " is not supported."));
    }

    /** Of the content, in bytes, if it is declared. */
    public OptionalLong length() {
        return length;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
        int read = ended ? -1 : content.read(target, offset, count);
        if (read < 0) {
            if (!ended) {
                ended = true;
                verify();
            }
            return -1;
        }
        received += read;
        if (length.isPresent() && received > length.getAsLong()) {
            throw S3Error.incompleteBody();
        }
        expectations.forEach(each -> each.digest().update(target, offset, read));
        return read;
    }

    private void verify() {
        if (length.isPresent() && received != length.getAsLong()) {
            throw S3Error.incompleteBody();
        }
        Map<String, String> trailers = content instanceof AwsChunkedStream chunks ? chunks.trailers() : Map.of();
        for (Expectation each : expectations) {
            if (each.trailing() && !trailers.containsKey(each.what())) {
                throw S3Error.malformedTrailer();
            }
            String value = each.value().orElseGet(() -> trailers.get(each.what()));
            if (!SigV4.same(each.digest().base64(), value)) {
                throw each.digest() instanceof HexHash ? S3Error.payloadHashMismatch() : S3Error.badDigest(each.what());
            }
        }
    }

    /** The hash of the signature, which is written in hexadecimal. */
    private static final class HexHash implements ContentDigest {
        private final MessageDigest digest = SigV4.digest("SHA-256");

        @Override
        public void update(byte[] bytes, int offset, int count) {
            digest.update(bytes, offset, count);
        }

        @Override
        public String base64() {
            return HexFormat.of().formatHex(digest.digest());
        }
    }
}

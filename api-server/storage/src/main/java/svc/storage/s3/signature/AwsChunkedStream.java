package svc.storage.s3.signature;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import svc.storage.s3.signature.Verified.ChunkSigner;
import svc.storage.s3.xml.S3Error;

/**
 * The content of a body in {@code aws-chunked}: chunks that are signed each with the signature before it, or not, and
 * trailers behind them. A chunk is given on as it arrives, before its signature can be verified: what is made of the content
 * must not be kept unless the stream ends without a failure.
 */
final class AwsChunkedStream extends InputStream {
    private static final int MAX_LINE = 4 << 10;
    private static final int MAX_TRAILERS = 16;
    private static final Pattern CHUNK = Pattern.compile("([0-9a-fA-F]{1,15})(?:;chunk-signature=([0-9a-f]{64}))?");
    private static final String TRAILER_SIGNATURE = "x-amz-trailer-signature";

    private final InputStream body;
    private final Optional<ChunkSigner> signer;
    private final boolean trailing;
    private final MessageDigest digest = SigV4.digest("SHA-256");
    private final Map<String, String> trailers = new LinkedHashMap<>();
    private String previous;
    private String announced = "";
    private long left;
    private boolean begun;
    private boolean ended;

    /**
     * @param signer empty where chunks are not signed
     * @param trailing whether trailers follow
     */
    AwsChunkedStream(InputStream body, Optional<ChunkSigner> signer, boolean trailing) {
        this.body = body;
        this.signer = signer;
        this.trailing = trailing;
        this.previous = signer.map(ChunkSigner::seed).orElse("");
    }

    /** By lower-case name; complete at the end of the content. */
    Map<String, String> trailers() {
        return trailers;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!ended && left == 0) {
            next();
        }
        if (ended) {
            return -1;
        }
        int count = body.read(target, offset, (int) Math.min(length, left));
        if (count < 0) {
            throw S3Error.incompleteBody();
        }
        left -= count;
        if (signer.isPresent()) {
            digest.update(target, offset, count);
        }
        return count;
    }

    /** Ends the chunk before, and begins the next one. */
    private void next() throws IOException {
        if (begun) {
            requireNewline();
            verifyChunk();
        }
        begun = true;
        Matcher head = CHUNK.matcher(line());
        if (!head.matches() || (head.group(2) == null) == signer.isPresent()) {
            throw S3Error.incompleteBody();
        }
        left = Long.parseLong(head.group(1), 16);
        announced = signer.isPresent() ? head.group(2) : "";
        if (left == 0) {
            verifyChunk();
            end();
        }
    }

    private void verifyChunk() {
        if (signer.isEmpty()) {
            return;
        }
        String hash = HexFormat.of().formatHex(digest.digest());
        String expected = signer.get().sign("AWS4-HMAC-SHA256-PAYLOAD", previous, SigV4.EMPTY + "\n" + hash);
        if (!SigV4.same(expected, announced)) {
            throw S3Error.signatureDoesNotMatch();
        }
        previous = announced;
    }

    private void end() throws IOException {
        ended = true;
        if (trailing) {
            readTrailers();
        } else {
            requireNewline();
        }
        if (body.read() >= 0) {
            throw S3Error.incompleteBody();
        }
    }

    private void readTrailers() throws IOException {
        var signed = new StringBuilder();
        Optional<String> signature = Optional.empty();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon <= 0 || trailers.size() >= MAX_TRAILERS || signature.isPresent()) {
                throw S3Error.malformedTrailer();
            }
            String name = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
            String value = line.substring(colon + 1).strip();
            if (name.equals(TRAILER_SIGNATURE)) {
                signature = Optional.of(value);
            } else {
                trailers.put(name, value);
                signed.append(name).append(':').append(value).append('\n');
            }
        }
        if (signer.isPresent()) {
            String expected = signer.get().sign("AWS4-HMAC-SHA256-TRAILER", previous, SigV4.sha256(signed.toString()));
            if (!SigV4.same(expected, signature.orElse(""))) {
                throw S3Error.signatureDoesNotMatch();
            }
        }
    }

    private void requireNewline() throws IOException {
        if (body.read() != '\r' || body.read() != '\n') {
            throw S3Error.incompleteBody();
        }
    }

    /** A line without its end. The end of the body ends the last one too, as some clients have it. */
    private String line() throws IOException {
        var line = new StringBuilder();
        while (true) {
            int next = body.read();
            if (next == '\r') {
                next = body.read();
            }
            if (next == '\n' || next < 0 && trailing && ended) {
                return line.toString();
            }
            if (next < 0 || line.length() >= MAX_LINE) {
                throw S3Error.incompleteBody();
            }
            line.append((char) next);
        }
    }
}

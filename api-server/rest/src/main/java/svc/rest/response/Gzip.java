package svc.rest.response;

import com.google.re2j.Pattern;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Compresses responses for clients that accept gzip: texts of some length, which shrink to a fifth. Pure. */
public final class Gzip {
    private static final Pattern NO_GZIP = Pattern.compile("gzip;q=0(\\.0*)?");

    /** A smaller body fits into one packet or two either way. In bytes. */
    private static final int MIN_BYTES = 1024;

    private static final int BUFFER_BYTES = 8 * 1024;
    private static final String CONTENT_TYPE = "content-type";
    private static final String CONTENT_ENCODING = "content-encoding";

    /** Formats of text, by the beginning of their names. */
    private static final List<String> TEXTS = List.of(
            "application/json", "application/vnd.pgrst.", "application/geo+json", "application/openapi+json", "text/");

    private Gzip() {}

    /** @param acceptEncoding the request's headers of that name */
    public static boolean applies(Response response, List<String> acceptEncoding) {
        return response.body().length >= MIN_BYTES
                && acceptEncoding.stream().anyMatch(Gzip::accepts)
                && header(response, CONTENT_ENCODING).isEmpty()
                && header(response, CONTENT_TYPE).filter(Gzip::isText).isPresent();
    }

    public static Response compressed(Response response) {
        Map<String, String> headers = new LinkedHashMap<>(response.headers());
        headers.put("Content-Encoding", "gzip");
        return new Response(response.status(), headers, response.additionalHeaders(), bytes(response.body()));
    }

    private static byte[] bytes(byte[] body) {
        var compressed = new ByteArrayOutputStream(BUFFER_BYTES);
        try (var out = new FastGzip(compressed)) {
            out.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException("while compressing a response", e);
        }
        return compressed.toByteArray();
    }

    private static boolean accepts(String header) {
        return Stream.of(header.toLowerCase(Locale.ROOT).split(","))
                .map(coding -> coding.replace(" ", ""))
                .anyMatch(coding -> coding.equals("gzip") || coding.startsWith("gzip;q=") && !NO_GZIP.matches(coding));
    }

    private static boolean isText(String contentType) {
        String name = contentType.toLowerCase(Locale.ROOT);
        return TEXTS.stream().anyMatch(name::startsWith);
    }

    private static Optional<String> header(Response response, String name) {
        return Stream.concat(
                        response.headers().entrySet().stream()
                                .filter(header -> header.getKey().equalsIgnoreCase(name))
                                .map(Map.Entry::getValue),
                        response.additionalHeaders().stream()
                                .filter(header -> header.name().equalsIgnoreCase(name))
                                .map(Response.Header::value))
                .findFirst();
    }

    /** The best level would take five times as long for a tenth less. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, BUFFER_BYTES);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}

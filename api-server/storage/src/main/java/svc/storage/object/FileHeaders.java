package svc.storage.object;

import io.vertx.core.http.HttpServerResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import svc.storage.http.StorageCall;
import svc.storage.rows.ObjectRow;

/** The headers of an answer with a file. */
public final class FileHeaders {
    private static final int PARTIAL = 206;

    /** Printable ASCII without what ends or escapes a quoted string. */
    private static final Pattern OTHER_THAN_PLAIN = Pattern.compile("[^\\x20-\\x7e]|[\"\\\\]");

    /** Some clients decode it. */
    private static final Pattern ESCAPE = Pattern.compile("%(?=\\p{XDigit}{2})");

    private FileHeaders() {}

    /** What an answer says of the file, with bytes or without. */
    static void ofFile(HttpServerResponse response, ObjectRow row) {
        response.putHeader("accept-ranges", "bytes")
                .putHeader("etag", row.etag())
                .putHeader("last-modified", Conditions.date(row.modified()))
                .putHeader("cache-control", row.cacheControl())
                .putHeader("x-robots-tag", "none")
                .putHeader("x-content-type-options", "nosniff");
    }

    /** The same, and what it says of the bytes. @param length of the bytes that are sent */
    static void ofBytes(StorageCall call, ObjectRow row, Optional<ByteRange> range, long length) {
        HttpServerResponse response = call.response();
        ofFile(response, row);
        response.putHeader("content-type", row.contentType()).putHeader("content-length", Long.toString(length));
        call.query("download").ifPresent(name -> response.putHeader("content-disposition", attachment(name)));
        range.ifPresent(part -> response.setStatusCode(PARTIAL)
                .putHeader("content-range", "bytes " + part.first() + "-" + part.last() + "/" + row.size()));
    }

    /**
     * With the name in both of RFC 6266's forms; without one the browser takes the path's. The first form is for clients
     * that do not know the second. It has no escapes, because some of them read none (appendix D).
     */
    public static String attachment(String name) {
        if (name.isEmpty()) {
            return "attachment";
        }
        String plain =
                ESCAPE.matcher(OTHER_THAN_PLAIN.matcher(name).replaceAll("_")).replaceAll("_");
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
        return "attachment; filename=\"" + plain + "\"; filename*=UTF-8''" + encoded;
    }
}

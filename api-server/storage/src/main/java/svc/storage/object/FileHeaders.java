package svc.storage.object;

import io.vertx.core.http.HttpServerResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import svc.storage.http.StorageCall;
import svc.storage.rows.ObjectRow;

/** The headers of an answer with a file. */
public final class FileHeaders {
    private static final int PARTIAL = 206;

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
        String plain = plain(name);
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
        return "attachment; filename=\"" + plain + "\"; filename*=UTF-8''" + encoded;
    }

    /** Printable ASCII without what ends or escapes a quoted string, and without escapes, which some clients decode. */
    private static String plain(String name) {
        var plain = new StringBuilder(name.length());
        name.codePoints().forEach(c -> plain.append(c < ' ' || c > '~' || c == '"' || c == '\\' ? '_' : (char) c));
        for (int at = plain.indexOf("%"); at >= 0; at = plain.indexOf("%", at + 1)) {
            if (isHex(plain, at + 1) && isHex(plain, at + 2)) {
                plain.setCharAt(at, '_');
            }
        }
        return plain.toString();
    }

    private static boolean isHex(CharSequence text, int at) {
        return at < text.length() && HexFormat.isHexDigit(text.charAt(at));
    }
}

package svc.rest.openapi;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** References within a document: a JSON pointer in a URI's fragment (RFC 6901, 3 and 6). */
final class JsonPointers {
    private JsonPointers() {}

    /** Escapes one token of a pointer. Names of tables may contain slashes and spaces. */
    static String escaped(String name) {
        return URLEncoder.encode(name.replace("~", "~0").replace("/", "~1"), StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%7E", "~");
    }
}

package svc.storage.object;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import svc.platform.memory.ByteBudget;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.http.Answers;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.ObjectName;
import svc.storage.rows.ObjectRow;
import svc.storage.rows.ObjectRows;
import svc.storage.rows.ObjectRows.InPublic;
import svc.storage.token.UrlTokens;
import svc.storage.token.UrlTokens.Grant;
import svc.storage.token.UrlTokens.Scope;

/**
 * Answers with files. Bytes are read from the store in windows: a slow reader holds one window of its project's memory and
 * no connection of the store.
 */
public final class Downloads {
    private static final int WINDOW = 2 << 20;
    private static final int NOT_MODIFIED = 304;
    private static final int PARTIAL = 206;

    /** How often a file may be replaced between its row and its first byte. */
    private static final int MOST_REPLACED = 20;

    private final ObjectRows objects;
    private final ContentStore store;
    private final UrlTokens tokens;
    private final Function<String, ByteBudget.Account> memory;

    public Downloads(
            ObjectRows objects, ContentStore store, UrlTokens tokens, Function<String, ByteBudget.Account> memory) {
        this.objects = objects;
        this.store = store;
        this.tokens = tokens;
        this.memory = memory;
    }

    /** What an answer says besides, or instead: called when its headers are set. */
    @FunctionalInterface
    public interface Dress {
        Dress PLAIN = (response, row) -> {};

        void on(HttpServerResponse response, ObjectRow row);

        private static Dress until(Instant expires) {
            return (response, row) -> response.putHeader("expires", Conditions.date(expires));
        }
    }

    /** {@code GET /object/{bucket}/{path}}: of a public bucket whoever asks, else as policies say. */
    public void any(StorageCall call) {
        serve(call, () -> readable(call), Dress.PLAIN);
    }

    /** {@code GET /object/authenticated/{bucket}/{path}}. */
    public void authenticated(StorageCall call) {
        serve(call, () -> objects.find(call, call.bucket(), name(call)), Dress.PLAIN);
    }

    /** {@code GET /object/public/{bucket}/{path}}. */
    public void inPublic(StorageCall call) {
        serve(call, () -> published(call), Dress.PLAIN);
    }

    /** {@code GET /object/sign/{bucket}/{path}?token=…}. */
    public void signed(StorageCall call) {
        String token = call.query("token")
                .orElseThrow(() -> StorageError.invalidRequest("querystring must have required property 'token'"));
        Grant grant = tokens.verify(call.tenant(), Scope.DOWNLOAD, call.bucket() + "/" + name(call), token);
        serve(call, () -> objects.findForAll(call, call.bucket(), name(call)), Dress.until(grant.expires()));
    }

    /** A version of a file, for which the caller's right was found. */
    public void version(StorageCall call, ObjectRow version) {
        serve(call, () -> Optional.of(version), Dress.PLAIN);
    }

    public void info(StorageCall call) {
        info(call, readable(call));
    }

    public void infoAuthenticated(StorageCall call) {
        info(call, objects.find(call, call.bucket(), name(call)));
    }

    public void infoPublic(StorageCall call) {
        info(call, published(call));
    }

    private static String name(StorageCall call) {
        return ObjectName.normal(call.object());
    }

    private Optional<ObjectRow> readable(StorageCall call) {
        Optional<InPublic> open = objects.findPublic(call, call.bucket(), name(call));
        return open.isPresent() ? open.get().row() : objects.find(call, call.bucket(), name(call));
    }

    private Optional<ObjectRow> published(StorageCall call) {
        return objects.findPublic(call, call.bucket(), name(call))
                .orElseThrow(StorageError::noSuchBucket)
                .row();
    }

    private static void info(StorageCall call, Optional<ObjectRow> found) {
        ObjectRow row = found.orElseThrow(StorageError::noSuchObject);
        ObjectNode body = StorageCall.newObject()
                .put("id", row.id())
                .put("name", row.name())
                .put("version", row.version())
                .put("bucket_id", row.bucket())
                .put("size", row.size())
                .put("content_type", row.contentType())
                .put("cache_control", row.cacheControl())
                .put("etag", row.etag());
        body.set("metadata", row.userMetadata());
        body.put("last_modified", row.modified().toString());
        body.set("created_at", row.json().path("created_at"));
        Answers.json(call, body);
    }

    /**
     * Answers with a file, or with what the request's conditions ask for.
     *
     * @param find called again when the bytes of a row are gone: then the file was replaced in this moment
     */
    public void serve(StorageCall call, Supplier<Optional<ObjectRow>> find, Dress dress) {
        ObjectRow row = find.get().orElseThrow(StorageError::noSuchObject);
        for (int replaced = 0; !send(call, row, dress); replaced++) {
            ObjectRow now = find.get().orElseThrow(StorageError::noSuchObject);
            if (now.version().equals(row.version()) || replaced == MOST_REPLACED) {
                throw StorageError.noSuchObject();
            }
            row = now;
        }
    }

    /** False, with nothing sent, when there are no bytes. */
    private boolean send(StorageCall call, ObjectRow row, Dress dress) {
        HttpServerResponse response = call.response();
        if (Conditions.isKnown(call, row)) {
            head(response, row);
            dress.on(response, row);
            response.setStatusCode(NOT_MODIFIED).end().onFailure(gone -> response.close());
            return true;
        }
        Optional<ByteRange> range = call.header("range")
                .filter(header -> Conditions.rangeApplies(call, row))
                .flatMap(header -> ByteRange.parse(header, row.size()));
        long from = range.map(ByteRange::first).orElse(0L);
        long length = range.map(ByteRange::length).orElse(row.size());
        if (call.request().method().equals(HttpMethod.HEAD) || length == 0) {
            whole(call, row, dress, range, length);
            response.end().onFailure(gone -> response.close());
            return true;
        }
        Optional<ContentKey> key = row.key(call.tenant());
        int window = (int) Math.min(WINDOW, length);
        try (ByteBudget.Permit permit =
                Waiting.forMemory(memory.apply(call.tenant().ref()), window)) {
            Optional<byte[]> first = key.flatMap(content -> store.read(content, from, window));
            if (first.isEmpty()) {
                return false;
            }
            whole(call, row, dress, range, length);
            if (length == window) {
                response.end(Buffer.buffer(first.get())).onFailure(gone -> response.close());
            } else {
                rest(call, key.get(), first.get(), from, length);
            }
            return true;
        }
    }

    private void rest(StorageCall call, ContentKey key, byte[] first, long from, long length) {
        var sender = new Sender(call.response());
        boolean taken = sender.send(first);
        long sent = first.length;
        while (taken && sent < length) {
            int window = (int) Math.min(WINDOW, length - sent);
            long at = from + sent;
            // The head is sent: only a broken connection tells of bytes that are gone.
            taken = sender.send(store.read(key, at, window).orElseThrow(StorageError::noSuchObject));
            sent += window;
        }
        if (taken) {
            call.response().end().onFailure(gone -> call.response().close());
        }
    }

    private static void whole(StorageCall call, ObjectRow row, Dress dress, Optional<ByteRange> range, long length) {
        HttpServerResponse response = call.response();
        head(response, row);
        response.putHeader("content-type", row.contentType()).putHeader("content-length", Long.toString(length));
        call.query("download").ifPresent(name -> response.putHeader("content-disposition", attachment(name)));
        range.ifPresent(part -> response.setStatusCode(PARTIAL)
                .putHeader("content-range", "bytes " + part.first() + "-" + part.last() + "/" + row.size()));
        dress.on(response, row);
    }

    private static void head(HttpServerResponse response, ObjectRow row) {
        response.putHeader("accept-ranges", "bytes")
                .putHeader("etag", row.etag())
                .putHeader("last-modified", Conditions.date(row.modified()))
                .putHeader("cache-control", row.cacheControl())
                .putHeader("x-robots-tag", "none")
                .putHeader("x-content-type-options", "nosniff");
    }

    /** With the name in both of RFC 6266's forms; without one the browser takes the path's. */
    private static String attachment(String name) {
        if (name.isEmpty()) {
            return "attachment";
        }
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
        return "attachment; filename=" + encoded + "; filename*=UTF-8''" + encoded + ";";
    }
}

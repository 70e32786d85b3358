package svc.storage.object;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import svc.platform.memory.ByteBudget;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.egress.Egress;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.rows.ObjectRow;

/**
 * Answers with a file from a virtual thread, for a protocol whose answers are not {@link Downloads}'. Bytes are read from
 * the store in windows: a slow reader holds one window of its project's memory and no connection of the store.
 */
public final class FileTransfer {
    private static final int WINDOW = 2 << 20;
    private static final int NOT_MODIFIED = 304;

    /** How often a file may be replaced between its row and its first byte. */
    private static final int MAX_RESTARTS = 20;

    private final ContentStore store;
    private final Function<String, ByteBudget.Account> memory;
    private final Egress egress;

    /** @param memory of a project, by its ref */
    public FileTransfer(ContentStore store, Function<String, ByteBudget.Account> memory, Egress egress) {
        this.store = store;
        this.memory = memory;
        this.egress = egress;
    }

    /** Sets headers that the protocol has besides, or instead. */
    @FunctionalInterface
    public interface MoreHeaders {
        void set(HttpServerResponse response, ObjectRow row);
    }

    /**
     * Answers with a file, or with what the request's conditions ask for.
     *
     * @param more is called when the usual headers are set
     * @param find called again when the bytes of a row are gone: then the file was replaced in this moment
     */
    public void serve(StorageCall call, Supplier<Optional<ObjectRow>> find, MoreHeaders more) {
        ObjectRow row = find.get().orElseThrow(StorageError::noSuchObject);
        for (int replaced = 0; !send(call, row, more); replaced++) {
            ObjectRow now = find.get().orElseThrow(StorageError::noSuchObject);
            if (now.version().equals(row.version()) || replaced == MAX_RESTARTS) {
                throw StorageError.noSuchObject();
            }
            row = now;
        }
    }

    /** False, with nothing sent, when there are no bytes. */
    private boolean send(StorageCall call, ObjectRow row, MoreHeaders more) {
        HttpServerResponse response = call.response();
        if (Conditions.isKnown(call, row)) {
            FileHeaders.ofFile(response, row);
            more.set(response, row);
            response.setStatusCode(NOT_MODIFIED).end().onFailure(gone -> response.close());
            return true;
        }
        Optional<ByteRange> range = call.header("range")
                .filter(header -> Conditions.rangeApplies(call, row))
                .flatMap(header -> ByteRange.parse(header, row.size()));
        long from = range.map(ByteRange::first).orElse(0L);
        long length = range.map(ByteRange::length).orElse(row.size());
        if (call.request().method().equals(HttpMethod.HEAD) || length == 0) {
            FileHeaders.ofBytes(call, row, range, length);
            more.set(call.response(), row);
            response.end().onFailure(gone -> response.close());
            return true;
        }
        egress.begin(call.tenant(), call.response());
        Optional<ContentKey> key = row.key(call.tenant());
        int window = (int) Math.min(WINDOW, length);
        try (ByteBudget.Permit permit =
                Waiting.forMemory(memory.apply(call.tenant().ref()), window)) {
            Optional<byte[]> first = key.flatMap(content -> store.read(content, from, window));
            if (first.isEmpty()) {
                return false;
            }
            FileHeaders.ofBytes(call, row, range, length);
            more.set(call.response(), row);
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
}

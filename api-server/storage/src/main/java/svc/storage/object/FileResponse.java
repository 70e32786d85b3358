package svc.storage.object;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import svc.platform.budget.Lifetime;
import svc.platform.dataplane.ResponseMemory;
import svc.platform.memory.ByteBudget;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentReader;
import svc.storage.content.ContentReader.Span;
import svc.storage.content.PermitRequest;
import svc.storage.content.StoreException;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.rows.ObjectRow;

/**
 * Answers one request with a file, on its event loop. Bytes are read from the store in windows, each as fast as the store
 * sends it, and the next one when the client has taken nearly all of the last: a slow reader holds one window of its
 * project's memory and no connection of the store.
 */
final class FileResponse implements ContentReader.Receiver {
    private static final int NOT_MODIFIED = 304;

    private final StorageCall call;
    private final ObjectRow row;
    private final Optional<Instant> expires;
    private final ContentReader reader;
    private final Outcome outcome;
    private final HttpServerResponse response;

    /** Ends when nothing more is read or sent; all memory ends with it. */
    private final Lifetime lifetime = new Lifetime();

    private Optional<ByteRange> range = Optional.empty();
    private ContentKey key;
    private long from;
    private long length;
    private long received;
    private boolean begun;
    private boolean over;
    private Buffer whole;
    private ByteBudget.Permit memory;
    private Pace pace;
    private ContentReader.Reading reading = () -> {};

    /**
     * How it can end otherwise.
     *
     * @param missing when there are no bytes, and nothing has been sent
     * @param failed for any other reason; the head may have been sent
     */
    record Outcome(Runnable missing, Consumer<Throwable> failed) {}

    FileResponse(StorageCall call, ObjectRow row, Optional<Instant> expires, ContentReader reader, Outcome outcome) {
        this.call = call;
        this.row = row;
        this.expires = expires;
        this.reader = reader;
        this.outcome = outcome;
        this.response = call.response();
    }

    /** @throws StorageError for a range outside of the file */
    void send(ByteBudget.Account account) {
        if (Conditions.isKnown(call, row)) {
            head();
            response.setStatusCode(NOT_MODIFIED).end().onFailure(gone -> response.close());
            return;
        }
        range = call.header("range")
                .filter(header -> Conditions.rangeApplies(call, row))
                .flatMap(header -> ByteRange.parse(header, row.size()));
        from = range.map(ByteRange::first).orElse(0L);
        length = range.map(ByteRange::length).orElse(row.size());
        if (call.request().method().equals(HttpMethod.HEAD) || length == 0) {
            headOfBytes();
            response.end().onFailure(gone -> response.close());
            return;
        }
        Optional<ContentKey> content = row.key(call.tenant());
        if (content.isEmpty()) {
            outcome.missing().run();
            return;
        }
        key = content.get();
        response.closeHandler(gone -> stop());
        response.exceptionHandler(broken -> stop());
        if (response.closed()) {
            // While the row was looked for: no event comes any more.
            stop();
            return;
        }
        PermitRequest.take(
                account,
                lifetime,
                Math.min(Pace.FIRST, length),
                this::granted,
                () -> end(() -> outcome.failed().accept(StorageError.slowDown())));
    }

    private void granted(ByteBudget.Permit permit) {
        memory = permit;
        pace = new Pace(permit, Math.min(Pace.FIRST, length));
        Context loop = Vertx.currentContext();
        // Its account's other readers wait, and this one takes nothing.
        memory.reclaimBy(() -> loop.runOnContext(now -> giveUp()));
        // The window is held until the reader has taken it: the connection must not count it again.
        ResponseMemory.heldByService(call.request());
        next();
    }

    private void next() {
        long window = pace.next(length - received, System.nanoTime());
        ContentReader.Reading begun = reader.read(key, new Span(from + received, window, row.size()), this);
        if (!over) {
            reading = begun;
        }
    }

    @Override
    public void piece(Buffer bytes) {
        if (over) {
            return;
        }
        received += bytes.length();
        if (bytes.length() == length) {
            whole = bytes;
            return;
        }
        if (!begun) {
            begun = true;
            headOfBytes();
        }
        response.write(bytes).onSuccess(taken -> memory.progress());
    }

    @Override
    public void complete() {
        if (over) {
            return;
        }
        if (received < length) {
            if (response.writeQueueFull()) {
                response.drainHandler(room -> {
                    response.drainHandler(null);
                    if (!over) {
                        next();
                    }
                });
            } else {
                next();
            }
            return;
        }
        over = true;
        if (whole != null) {
            headOfBytes();
        }
        // Until the client has taken it, it is in memory.
        (whole == null ? response.end() : response.end(whole)).onComplete(end -> {
            lifetime.close();
            if (end.failed()) {
                response.close();
            }
        });
    }

    @Override
    public void missing() {
        end(begun ? () -> outcome.failed().accept(StorageError.noSuchObject()) : outcome.missing());
    }

    @Override
    public void failed(StoreException why) {
        end(() -> outcome.failed().accept(why));
    }

    private void end(Runnable otherwise) {
        if (!over) {
            stop();
            otherwise.run();
        }
    }

    /** Nothing more is read or sent: it has failed, or the client has left. */
    private void stop() {
        if (!over) {
            over = true;
            reading.cancel();
        }
        lifetime.close();
    }

    /** Others need the memory. A client that goes on asks for the rest with {@code Range}. */
    private void giveUp() {
        stop();
        response.close();
    }

    private void headOfBytes() {
        FileHeaders.ofBytes(call, row, range, length);
        expire();
    }

    private void head() {
        FileHeaders.ofFile(response, row);
        expire();
    }

    private void expire() {
        expires.ifPresent(end -> response.putHeader("expires", Conditions.date(end)));
    }
}

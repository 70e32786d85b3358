package svc.storage.image;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import svc.platform.dataplane.ResponseMemory;
import svc.platform.memory.ByteBudget;
import svc.storage.content.ContentKey;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.image.ImageRenderer.Rendered;
import svc.storage.image.ImageRenderer.Request;
import svc.storage.image.transform.Transform;
import svc.storage.name.ObjectName;
import svc.storage.object.Conditions;
import svc.storage.object.FileHeaders;
import svc.storage.object.Sender;
import svc.storage.object.Waiting;
import svc.storage.rows.ObjectRow;
import svc.storage.rows.ObjectRows;
import svc.storage.rows.ObjectRows.InPublic;
import svc.storage.token.UrlTokens;
import svc.storage.token.UrlTokens.RenderGrant;

/** Answers with images in other sizes and formats. Who may read a file may read it in any of them. */
public final class Images {
    private static final int NOT_MODIFIED = 304;

    /** Most renderings are smaller. */
    private static final int FIRST_WINDOW = 256 << 10;

    private static final int WINDOW = 2 << 20;

    /** What another caller has stored can be gone again: it was the oldest of too many. */
    private static final int ATTEMPTS = 3;

    private final ObjectRows objects;
    private final ImageRenderer renderer;
    private final RenderStore store;
    private final UrlTokens tokens;
    private final Function<String, ByteBudget.Account> memory;

    public Images(
            ObjectRows objects, ImageRenderer renderer, UrlTokens tokens, Function<String, ByteBudget.Account> memory) {
        this.objects = objects;
        this.renderer = renderer;
        this.store = renderer.store();
        this.tokens = tokens;
        this.memory = memory;
    }

    /** {@code GET /render/image/public/{bucket}/{path}}. */
    public void inPublic(StorageCall call) {
        Transform wanted = Transform.of(call::query);
        InPublic found = objects.findPublic(call, call.bucket(), name(call)).orElseThrow(StorageError::noSuchBucket);
        serve(call, found.row(), wanted, new Reader(ofStrangers(call), Optional.empty()));
    }

    /** {@code GET /render/image/authenticated/{bucket}/{path}}. */
    public void authenticated(StorageCall call) {
        Transform wanted = Transform.of(call::query);
        var account = call.caller().isAnonymous(call.tenant())
                ? ofStrangers(call)
                : memory.apply(call.tenant().ref());
        serve(call, objects.find(call, call.bucket(), name(call)), wanted, new Reader(account, Optional.empty()));
    }

    /** {@code GET /render/image/sign/{bucket}/{path}?token=…}: as the token says, whatever else the query has. */
    public void signed(StorageCall call) {
        String token = call.query("token")
                .orElseThrow(() -> StorageError.invalidRequest("querystring must have required property 'token'"));
        RenderGrant grant = tokens.verifyRender(call.tenant(), call.bucket() + "/" + name(call), token);
        serve(
                call,
                objects.findForAll(call, call.bucket(), name(call)),
                Transform.parse(grant.transformations()),
                new Reader(ofStrangers(call), Optional.of(grant.expires())));
    }

    /**
     * Who reads an image.
     *
     * @param memory that holds what the reader has not taken yet
     * @param expires when the reader's link does
     */
    private record Reader(ByteBudget.Account memory, Optional<Instant> expires) {}

    private ByteBudget.Account ofStrangers(StorageCall call) {
        return memory.apply(call.tenant().ref()).ofStrangers();
    }

    private static String name(StorageCall call) {
        return ObjectName.normal(call.object());
    }

    private void serve(StorageCall call, Optional<ObjectRow> found, Transform wanted, Reader by) {
        ResponseMemory.chargedTo(call.request(), by.memory());
        ObjectRow row = found.orElseThrow(StorageError::noSuchObject);
        ContentKey content = row.key(call.tenant()).orElseThrow(StorageError::noSuchObject);
        String format = wanted.formatFor(call.header("accept").orElse(""));
        RenderKey key = RenderKey.of(content, wanted, format);
        if (Conditions.isKnown(call, row, key.etag())) {
            head(call, row, wanted, key, by.expires());
            call.response()
                    .setStatusCode(NOT_MODIFIED)
                    .end()
                    .onFailure(gone -> call.response().close());
            return;
        }
        Runnable head = () -> head(call, row, wanted, key, by.expires());
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var request = new Request(call.tenant(), key, row.size(), wanted, format);
            if (sendStored(call, key, head, by.memory()) || sendNew(call, request, head, by.memory())) {
                return;
            }
        }
        throw StorageError.imagesBusy();
    }

    /** False, with nothing sent, when it is not stored. */
    private boolean sendStored(StorageCall call, RenderKey key, Runnable head, ByteBudget.Account account) {
        ByteBudget.Permit permit = Waiting.forMemory(account, FIRST_WINDOW);
        boolean sending = false;
        try {
            Optional<RenderStore.Part> part = store.read(key, 0, FIRST_WINDOW);
            if (part.isEmpty()) {
                return false;
            }
            RenderStore.Part first = part.get();
            head.run();
            if (first.total() <= first.bytes().length || isHead(call)) {
                sending = true;
                send(call, first, permit);
            } else {
                permit.close();
                rest(call, key, first.type(), first.total(), account);
            }
            return true;
        } finally {
            if (!sending) {
                permit.close();
            }
        }
    }

    /** In windows: a slow reader holds one of them. */
    private void rest(StorageCall call, RenderKey key, String type, long total, ByteBudget.Account account) {
        type(call.response(), type, total);
        var sender = new Sender(call.response());
        long at = 0;
        boolean taken = true;
        try (ByteBudget.Permit permit = Waiting.forMemory(account, Math.min(WINDOW, total))) {
            while (taken && at < total) {
                byte[] bytes = store.read(key, at, (int) Math.min(WINDOW, total - at))
                        .orElseThrow(StorageError::noSuchObject)
                        .bytes();
                taken = sender.send(bytes);
                at += bytes.length;
            }
        }
        if (taken) {
            call.response().end().onFailure(gone -> call.response().close());
        }
    }

    /** False, with nothing sent, when another caller has stored it in the meantime. */
    private boolean sendNew(StorageCall call, Request request, Runnable head, ByteBudget.Account account) {
        try (ByteBudget.Permit permit = account.open()) {
            Optional<Rendered> made = renderer.render(request, permit);
            if (made.isEmpty()) {
                return false;
            }
            byte[] bytes = made.get().bytes();
            head.run();
            type(call.response(), made.get().type(), bytes.length);
            if (isHead(call)) {
                call.response().end().onFailure(gone -> call.response().close());
            } else if (new Sender(call.response()).send(bytes)) {
                call.response().end().onFailure(gone -> call.response().close());
            }
            return true;
        }
    }

    /** Until the reader has taken them, the bytes are in memory. */
    private static void send(StorageCall call, RenderStore.Part all, ByteBudget.Permit permit) {
        HttpServerResponse response = call.response();
        ResponseMemory.heldByService(call.request());
        type(response, all.type(), all.total());
        var sent = isHead(call) ? response.end() : response.end(Buffer.buffer(all.bytes()));
        sent.onComplete(end -> {
            permit.close();
            if (end.failed()) {
                response.close();
            }
        });
    }

    private static boolean isHead(StorageCall call) {
        return call.request().method().equals(HttpMethod.HEAD);
    }

    private static void type(HttpServerResponse response, String type, long length) {
        response.putHeader("content-type", type).putHeader("content-length", Long.toString(length));
    }

    private static void head(
            StorageCall call, ObjectRow row, Transform wanted, RenderKey key, Optional<Instant> expires) {
        HttpServerResponse response = call.response();
        response.putHeader("etag", key.etag())
                .putHeader("last-modified", Conditions.date(row.modified()))
                .putHeader("cache-control", row.cacheControl())
                .putHeader("x-robots-tag", "none")
                .putHeader("x-content-type-options", "nosniff");
        if (!wanted.header().isEmpty()) {
            response.putHeader("x-transformations", wanted.header());
        }
        if (wanted.negotiates()) {
            response.putHeader("vary", "Accept");
        }
        expires.ifPresent(end -> response.putHeader("expires", Conditions.date(end)));
        call.query("download")
                .ifPresent(name -> response.putHeader("content-disposition", FileHeaders.attachment(name)));
    }
}

package svc.storage.object;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import svc.platform.memory.ByteBudget;
import svc.storage.content.ContentReader;
import svc.storage.http.Answers;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.ObjectName;
import svc.storage.object.FileResponse.Outcome;
import svc.storage.rows.ObjectRow;
import svc.storage.rows.ObjectRows;
import svc.storage.rows.ObjectRows.InPublic;
import svc.storage.token.UrlTokens;
import svc.storage.token.UrlTokens.Grant;
import svc.storage.token.UrlTokens.Scope;

/** Finds the files that requests may read, and has them sent ({@link FileResponse}). */
public final class Downloads {
    private static final int MAX_BUCKETS = 10_000;
    private static final Duration REMEMBERED = Duration.ofMinutes(10);

    /** How often a file may be replaced between its row and its first byte. */
    private static final int MAX_RESTARTS = 20;

    private final ObjectRows objects;
    private final ContentReader reader;
    private final UrlTokens tokens;
    private final Function<String, ByteBudget.Account> memory;

    /** Buckets that were not public lately: decides the order of two questions, never the answer. */
    private final Cache<BucketOfProject, Boolean> closed = Caffeine.newBuilder()
            .maximumSize(MAX_BUCKETS)
            .expireAfterWrite(REMEMBERED)
            .executor(Runnable::run)
            .build();

    private record BucketOfProject(UUID projectId, String bucket) {}

    public Downloads(
            ObjectRows objects, ContentReader reader, UrlTokens tokens, Function<String, ByteBudget.Account> memory) {
        this.objects = objects;
        this.reader = reader;
        this.tokens = tokens;
        this.memory = memory;
    }

    /** {@code GET /object/{bucket}/{path}}: of a public bucket for every caller, else as policies say. */
    public void any(StorageCall call, Consumer<Throwable> failed) {
        serve(call, () -> startReadable(call), new Reader(accountOf(call), Optional.empty(), failed));
    }

    /** {@code GET /object/authenticated/{bucket}/{path}}. */
    public void authenticated(StorageCall call, Consumer<Throwable> failed) {
        serve(
                call,
                () -> objects.startFind(call, call.bucket(), name(call)),
                new Reader(accountOf(call), Optional.empty(), failed));
    }

    /** {@code GET /object/public/{bucket}/{path}}. */
    public void inPublic(StorageCall call, Consumer<Throwable> failed) {
        serve(
                call,
                () -> objects.startFindPublic(call, call.bucket(), name(call))
                        .thenApply(found ->
                                found.orElseThrow(StorageError::noSuchBucket).row()),
                new Reader(ofStrangers(call), Optional.empty(), failed));
    }

    /** {@code GET /object/sign/{bucket}/{path}?token=…}. */
    public void signed(StorageCall call, Consumer<Throwable> failed) {
        String token = call.query("token")
                .orElseThrow(() -> StorageError.invalidRequest("querystring must have required property 'token'"));
        Grant grant = tokens.verify(call.tenant(), Scope.DOWNLOAD, call.bucket() + "/" + name(call), token);
        serve(
                call,
                () -> objects.startFindForAll(call, call.bucket(), name(call)),
                new Reader(ofStrangers(call), Optional.of(grant.expires()), failed));
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

    /**
     * One statement for most files: policies are asked first where the bucket was not public lately, else whether it is
     * public. Both orders give the same file; a policy that fails is no answer for a bucket that is public now.
     */
    private CompletableFuture<Optional<ObjectRow>> startReadable(StorageCall call) {
        String bucket = call.bucket();
        String name = name(call);
        var place = new BucketOfProject(call.tenant().projectId(), bucket);
        if (closed.getIfPresent(place) == null) {
            return objects.startFindPublic(call, bucket, name)
                    .thenCompose(open -> open.isPresent()
                            ? CompletableFuture.completedFuture(open.get().row())
                            : objects.startFind(call, bucket, name).thenApply(found -> {
                                // Only for a bucket that exists: names of others are the client's, of any length and
                                // number.
                                found.ifPresent(row -> closed.put(place, true));
                                return found;
                            }));
        }
        CompletableFuture<Optional<ObjectRow>> asked = objects.startFind(call, bucket, name);
        return asked.exceptionally(failure -> Optional.empty())
                .thenCompose(found -> found.isPresent()
                        ? asked
                        : objects.startFindPublic(call, bucket, name).thenCompose(open -> {
                            if (open.isEmpty()) {
                                return asked;
                            }
                            closed.invalidate(place);
                            return CompletableFuture.completedFuture(open.get().row());
                        }));
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
        body.set("metadata", row.userMetadata().isObject() ? row.userMetadata() : StorageCall.newObject());
        body.put("last_modified", row.modified().toString());
        body.set("created_at", row.json().path("created_at"));
        Answers.json(call, body);
    }

    /** @param find called again when the bytes of a row are gone: then the file was replaced in this moment */
    private void serve(StorageCall call, Supplier<CompletableFuture<Optional<ObjectRow>>> find, Reader by) {
        find(find, by.failed(), row -> new Attempt(call, find, by).send(row, 0));
    }

    /**
     * Who downloads.
     *
     * @param memory that holds what the reader has not taken yet
     * @param expires when the reader's link does
     */
    private record Reader(ByteBudget.Account memory, Optional<Instant> expires, Consumer<Throwable> failed) {}

    /** Everyone can read a public bucket, or pass on a link: such readers take nothing of the project's own share. */
    private ByteBudget.Account ofStrangers(StorageCall call) {
        return memory.apply(call.tenant().ref()).ofStrangers();
    }

    private ByteBudget.Account accountOf(StorageCall call) {
        return call.caller().isAnonymous(call.tenant())
                ? ofStrangers(call)
                : memory.apply(call.tenant().ref());
    }

    /** One download, begun again while its file is being replaced. */
    private final class Attempt {
        private final StorageCall call;
        private final Supplier<CompletableFuture<Optional<ObjectRow>>> find;
        private final Reader by;

        Attempt(StorageCall call, Supplier<CompletableFuture<Optional<ObjectRow>>> find, Reader by) {
            this.call = call;
            this.find = find;
            this.by = by;
        }

        void send(ObjectRow row, int replaced) {
            var outcome = new Outcome(() -> find(find, by.failed(), now -> again(row, now, replaced)), by.failed());
            new FileResponse(call, row, by.expires(), reader, outcome).send(by.memory());
        }

        private void again(ObjectRow before, ObjectRow now, int replaced) {
            if (now.version().equals(before.version()) || replaced == MAX_RESTARTS) {
                throw StorageError.noSuchObject();
            }
            send(now, replaced + 1);
        }
    }

    /** The row arrives on the event loop of its connection, and is used on the request's. */
    @SuppressWarnings("FutureReturnValueIgnored") // Each outcome goes to one of the two.
    private static void find(
            Supplier<CompletableFuture<Optional<ObjectRow>>> find,
            Consumer<Throwable> failed,
            Consumer<ObjectRow> found) {
        Context loop = Vertx.currentContext();
        find.get()
                .whenComplete((row, failure) -> loop.runOnContext(now -> {
                    try {
                        if (failure != null) {
                            failed.accept(
                                    failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
                        } else {
                            found.accept(row.orElseThrow(StorageError::noSuchObject));
                        }
                    } catch (RuntimeException e) {
                        failed.accept(e);
                    }
                }));
    }
}

package svc.storage.resumable;

import io.vertx.core.http.HttpServerResponse;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import svc.storage.body.BodyReader;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.object.Uploads;
import svc.storage.resumable.ResumableUpload.State;
import svc.storage.rows.Bucket;
import svc.storage.rows.BucketRows;

/**
 * {@code /upload/resumable}: TUS 1.0.0 as Supabase's storage-api has it, with chunks of any size, and concatenation. Each
 * request takes the upload over from the one before: a client that asks has lost its connection.
 */
final class ResumableUploads {
    private final UploadAccess access;
    private final BucketRows buckets;
    private final UploadStores stores;
    private final Appending appending;
    private final UploadCreation creation;

    ResumableUploads(
            UploadAccess access,
            BucketRows buckets,
            UploadStores stores,
            Appending appending,
            UploadCreation creation) {
        this.access = access;
        this.buckets = buckets;
        this.stores = stores;
        this.appending = appending;
        this.creation = creation;
    }

    /** {@code OPTIONS}: what there is of TUS. */
    void options(StorageCall call) {
        call.response()
                .putHeader("tus-version", TusHeaders.VERSION)
                .putHeader("tus-extension", TusHeaders.EXTENSIONS)
                .putHeader("tus-checksum-algorithm", Checksum.ALGORITHMS)
                .putHeader("tus-max-size", Long.toString(call.tenant().storage().fileSizeLimit()));
        TusResponses.end(call, 204);
    }

    /** {@code POST}: a new upload, maybe with its first bytes, or one of partial uploads. */
    void create(StorageCall call, BodyReader body) {
        TusHeaders.requireVersion(call);
        creation.create(call, body);
    }

    /** {@code HEAD}: how far an upload is. The request before writes no more, so that it stays there. */
    void head(StorageCall call) {
        TusHeaders.requireVersion(call);
        UUID writer = UUID.randomUUID();
        UUID id = admitted(call);
        ResumableUpload claimed =
                stores.rows().claim(call, id, access.caller(call), writer).orElseThrow(TusError::unknown);
        appending.requireAlive(claimed);
        ResumableUpload upload = stores.completion().resumed(call, claimed, writer);
        HttpServerResponse response = call.response().putHeader("cache-control", "no-store");
        if (upload.length().isPresent()) {
            response.putHeader("upload-length", Long.toString(upload.length().getAsLong()));
        } else {
            response.putHeader("upload-defer-length", "1");
        }
        if (!upload.uploadMetadata().isEmpty()) {
            response.putHeader("upload-metadata", upload.uploadMetadata());
        }
        if (upload.partial() || upload.isFinal()) {
            response.putHeader("upload-concat", upload.partial() ? "partial" : upload.concat());
        }
        TusResponses.progress(call, upload);
        TusResponses.end(call, 200);
    }

    /** {@code PATCH}: bytes at the offset that the client knows. */
    void patch(StorageCall call, BodyReader body) {
        TusHeaders.requireVersion(call);
        if (!TusHeaders.hasBytes(call)) {
            throw TusError.mediaType();
        }
        long offset = TusHeaders.offset(call);
        OptionalLong declared = TusHeaders.length(call);
        Optional<Checksum> checksum = Checksum.of(call);
        UUID writer = UUID.randomUUID();
        ResumableUpload upload = stores.completion()
                .resumed(
                        call,
                        appending.requireAlive(appending.begun(call, admitted(call), access.caller(call), writer)),
                        writer);
        if (upload.isFinal()) {
            throw TusError.ofParts();
        }
        if (upload.offset() != offset) {
            throw TusError.conflict(upload.offset());
        }
        if (upload.state() != State.OPEN) {
            // At its end nothing can be appended, and nothing need be.
            if (Uploads.announced(call) > 0) {
                throw TusError.tooLarge();
            }
        } else {
            Bucket bucket = buckets.look(call, upload.bucket());
            OptionalLong length = length(upload, declared, bucket.limit(call.tenant()));
            access.tryAgain(call, upload);
            upload = appending.append(call, body, upload, writer, length, bucket, checksum);
        }
        TusResponses.progress(call, upload);
        TusResponses.end(call, 204);
    }

    /** The client may declare a deferred length once. */
    private static OptionalLong length(ResumableUpload upload, OptionalLong declared, long limit) {
        OptionalLong length = upload.length().isPresent() ? upload.length() : declared;
        if (declared.isPresent() && !declared.equals(length)
                || length.isPresent() && length.getAsLong() < upload.offset()) {
            throw TusError.header("Upload-Length cannot be changed, nor be less than Upload-Offset");
        }
        if (length.orElse(0) > limit) {
            throw TusError.tooLarge();
        }
        return length;
    }

    /** {@code DELETE}: ends an upload that is no file yet. */
    void terminate(StorageCall call) {
        TusHeaders.requireVersion(call);
        UUID id = admitted(call);
        ResumableUpload upload =
                stores.rows().find(call, id, access.caller(call)).orElseThrow(TusError::unknown);
        if (upload.state() == State.GONE) {
            throw TusError.gone();
        }
        if (upload.state() == State.COMPLETE) {
            throw TusError.complete();
        }
        stores.ended().end(call, id);
        stores.quota().count(call, -upload.offset());
        TusResponses.end(call, 204);
    }

    /** {@code POST} of an upload, for clients that can send no other method. */
    void overridden(StorageCall call, BodyReader body) {
        switch (call.header("x-http-method-override").orElse("").toUpperCase(Locale.ROOT)) {
            case "PATCH" -> patch(call, body);
            case "DELETE" -> terminate(call);
            default -> throw StorageError.noSuchRoute("POST", call.exchange().path());
        }
    }

    private UUID admitted(StorageCall call) {
        UUID id = TusHeaders.id(call.bucket());
        access.admit(call, id);
        return id;
    }
}

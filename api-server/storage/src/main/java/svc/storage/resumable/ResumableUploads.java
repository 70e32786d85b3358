package svc.storage.resumable;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.http.HttpServerResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import svc.platform.memory.ByteBudget;
import svc.storage.body.BodyReader;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.MimeType;
import svc.storage.name.ObjectName;
import svc.storage.object.Uploads;
import svc.storage.object.Waiting;
import svc.storage.resumable.ResumableRows.Bounds;
import svc.storage.resumable.ResumableRows.Created;
import svc.storage.resumable.ResumableRows.Draft;
import svc.storage.resumable.ResumableUpload.State;
import svc.storage.resumable.TusHeaders.Concat;
import svc.storage.rows.Bucket;
import svc.storage.rows.BucketRows;

/**
 * {@code /upload/resumable}: TUS 1.0.0 as Supabase's storage-api has it, with chunks of any size, and concatenation. Each
 * request takes the upload over from the one before: a client that asks has lost its connection.
 */
final class ResumableUploads {
    /** As Supabase's. Not longer than the sweeper lets uploads in parts live. */
    static final Duration EXPIRY = Duration.ofHours(24);

    /** Of an upload to which no byte was sent. */
    static final Duration EXPIRY_UNUSED = Duration.ofHours(1);

    static final int MAX_OPEN_OF_CALLER = 1_000;
    static final int MAX_OPEN = 10_000;

    private final UploadAccess access;
    private final BucketRows buckets;
    private final UploadStores stores;
    private final Concatenation concatenation;
    private final PublicAddress addresses;
    private final Function<String, ByteBudget.Account> memory;
    private final Clock clock;

    ResumableUploads(
            UploadAccess access,
            BucketRows buckets,
            UploadStores stores,
            Concatenation concatenation,
            PublicAddress addresses,
            Function<String, ByteBudget.Account> memory,
            Clock clock) {
        this.access = access;
        this.buckets = buckets;
        this.stores = stores;
        this.concatenation = concatenation;
        this.addresses = addresses;
        this.memory = memory;
        this.clock = clock;
    }

    /** {@code OPTIONS}: what there is of TUS. */
    void options(StorageCall call) {
        call.response()
                .putHeader("tus-version", TusHeaders.VERSION)
                .putHeader("tus-extension", TusHeaders.EXTENSIONS)
                .putHeader("tus-checksum-algorithm", Checksum.ALGORITHMS)
                .putHeader("tus-max-size", Long.toString(call.tenant().storage().fileSizeLimit()));
        TusAnswers.end(call, 204);
    }

    /** {@code POST}: a new upload, maybe with its first bytes, or one of partial uploads. */
    void create(StorageCall call, BodyReader body) {
        TusHeaders.requireVersion(call);
        Concat concat = TusHeaders.concat(call);
        FileMetadata file = FileMetadata.of(call);
        String name = ObjectName.accepted(file.name());
        List<ResumableUpload> partials = concat instanceof Concat.Final parts ? partials(call, parts) : List.of();
        Optional<UUID> joined = joinedBefore(partials);
        if (joined.isPresent()) {
            // The answer was lost: the same call is answered as before.
            created(call, existing(call, joined.get()));
            return;
        }
        OptionalLong length = concat instanceof Concat.Final ? sum(partials) : TusHeaders.declared(call);
        Bucket bucket = buckets.prepared(call, file.bucket());
        if (length.isPresent() && length.getAsLong() > bucket.limit(call.tenant())) {
            throw TusError.tooLarge();
        }
        if (!ObjectName.isEmptyFolder(name)) {
            MimeType.check(file.contentType(), bucket.types());
        }
        UploadAccess.Right right = access.begin(call, bucket.id(), name, file);
        stores.quota().require(call, partials.isEmpty() ? length.orElse(0) : 0);
        Optional<Checksum> checksum = Checksum.of(call);
        UUID writer = UUID.randomUUID();
        ResumableUpload upload = inserted(call, draft(call, file, bucket.id(), name, right, concat, length), writer);
        if (concat instanceof Concat.Final) {
            upload = concatenation.join(call, begun(call, upload.id(), writer), writer, partials);
        } else if (TusHeaders.hasBytes(call) || length.orElse(1) == 0) {
            upload = append(call, body, begun(call, upload.id(), writer), writer, length, bucket, checksum);
        }
        created(call, upload);
    }

    private void created(StorageCall call, ResumableUpload upload) {
        call.response().putHeader("location", addresses.of(call, access.path() + "/" + upload.id()));
        TusAnswers.progress(call, upload);
        TusAnswers.end(call, 201);
    }

    private List<ResumableUpload> partials(StorageCall call, Concat.Final parts) {
        List<ResumableUpload> found = stores.rows().find(call, parts.partials(), access.caller(call));
        List<ResumableUpload> ordered = new ArrayList<>();
        for (UUID id : parts.partials()) {
            ResumableUpload upload = found.stream()
                    .filter(each -> each.id().equals(id) && each.partial())
                    .findFirst()
                    .orElseThrow(TusError::unknown);
            requireAlive(upload);
            if (upload.state() != State.STORED && upload.state() != State.COMPLETE) {
                throw TusError.incomplete();
            }
            ordered.add(upload);
        }
        return ordered;
    }

    /** Empty for partial uploads that can be joined now. */
    private static Optional<UUID> joinedBefore(List<ResumableUpload> partials) {
        List<Optional<UUID>> into = partials.stream()
                .map(ResumableUpload::concatenatedInto)
                .distinct()
                .toList();
        if (into.size() > 1) {
            throw TusError.gone();
        }
        return into.isEmpty() ? Optional.empty() : into.getFirst();
    }

    private ResumableUpload existing(StorageCall call, UUID id) {
        return stores.rows().find(call, id, access.caller(call)).orElseThrow(TusError::gone);
    }

    private static OptionalLong sum(List<ResumableUpload> partials) {
        return OptionalLong.of(
                partials.stream().mapToLong(ResumableUpload::offset).sum());
    }

    private Draft draft(
            StorageCall call,
            FileMetadata file,
            String bucket,
            String name,
            UploadAccess.Right right,
            Concat concat,
            OptionalLong length) {
        String metadata = StorageCall.newObject()
                .put("mimetype", file.contentType())
                .put("cacheControl", file.cacheControl())
                .toString();
        return new Draft(
                access.caller(call),
                bucket,
                name,
                right.owner(),
                right.upsert(),
                metadata,
                file.userMetadata().map(ObjectNode::toString).orElse(""),
                file.header(),
                concat instanceof Concat.Partial,
                concat instanceof Concat.Final(String header, List<UUID> ids) ? header : "",
                length);
    }

    private ResumableUpload inserted(StorageCall call, Draft draft, UUID writer) {
        Created created = stores.rows().create(call, draft, writer, bounds());
        if (created.upload().isPresent() && created.expired()) {
            stores.ended().sweepBeside(call.tenant());
        } else if (created.expired()) {
            stores.ended().sweep(call.tenant());
            created = stores.rows().create(call, draft, writer, bounds());
        }
        return created.upload().orElseThrow(TusError::tooMany);
    }

    private Bounds bounds() {
        Instant now = clock.instant();
        return new Bounds(MAX_OPEN_OF_CALLER, MAX_OPEN, now, now.plus(EXPIRY_UNUSED));
    }

    /** {@code HEAD}: how far an upload is. The request before writes no more, so that it stays there. */
    void head(StorageCall call) {
        TusHeaders.requireVersion(call);
        UUID writer = UUID.randomUUID();
        UUID id = admitted(call);
        ResumableUpload claimed =
                stores.rows().claim(call, id, access.caller(call), writer).orElseThrow(TusError::unknown);
        requireAlive(claimed);
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
        TusAnswers.progress(call, upload);
        TusAnswers.end(call, 200);
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
        ResumableUpload upload =
                stores.completion().resumed(call, requireAlive(begun(call, admitted(call), writer)), writer);
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
            upload = append(call, body, upload, writer, length, bucket, checksum);
        }
        TusAnswers.progress(call, upload);
        TusAnswers.end(call, 204);
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

    private ResumableUpload append(
            StorageCall call,
            BodyReader body,
            ResumableUpload upload,
            UUID writer,
            OptionalLong length,
            Bucket bucket,
            Optional<Checksum> checksum) {
        long announced = TusHeaders.hasBytes(call) ? Uploads.announced(call) : 0;
        long limit = bucket.limit(call.tenant());
        long room = length.orElse(limit) - upload.offset();
        if (announced != Long.MAX_VALUE && announced > room) {
            throw TusError.tooLarge();
        }
        stores.quota().require(call, announced == Long.MAX_VALUE ? 0 : announced);
        int capacity = ChunkWriter.capacity(upload, length, announced);
        try (ByteBudget.Permit permit =
                Waiting.forMemory(memory.apply(call.tenant().ref()), capacity + ChunkWriter.SLICE)) {
            body.begin();
            return new ChunkWriter(stores, call, upload, writer, length, limit, announced, checksum).write(body);
        }
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
        TusAnswers.end(call, 204);
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

    private ResumableUpload begun(StorageCall call, UUID id, UUID writer) {
        return stores.rows()
                .begin(call, id, access.caller(call), writer, clock.instant(), EXPIRY)
                .orElseThrow(TusError::unknown);
    }

    private ResumableUpload requireAlive(ResumableUpload upload) {
        boolean over = upload.state() != State.COMPLETE && !clock.instant().isBefore(upload.expires());
        if (upload.state() == State.GONE || over) {
            throw TusError.gone();
        }
        return upload;
    }
}

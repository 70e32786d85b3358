package svc.storage.resumable;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import svc.storage.body.BodyReader;
import svc.storage.http.StorageCall;
import svc.storage.name.MimeType;
import svc.storage.name.ObjectName;
import svc.storage.resumable.ResumableRows.Bounds;
import svc.storage.resumable.ResumableRows.Created;
import svc.storage.resumable.ResumableRows.Draft;
import svc.storage.resumable.ResumableUpload.State;
import svc.storage.resumable.TusHeaders.Concat;
import svc.storage.rows.Bucket;
import svc.storage.rows.BucketRows;

/** Begins uploads: everything is checked that can be before a byte is read, and their number is bounded. */
final class UploadCreation {
    /** Of an upload to which no byte was sent. */
    static final Duration EXPIRY_UNUSED = Duration.ofHours(1);

    static final int MAX_OPEN_OF_CALLER = 1_000;
    static final int MAX_OPEN = 10_000;

    private final UploadAccess access;
    private final BucketRows buckets;
    private final UploadStores stores;
    private final Appending appending;
    private final Concatenation concatenation;
    private final PublicAddress addresses;
    private final Clock clock;

    UploadCreation(
            UploadAccess access,
            BucketRows buckets,
            UploadStores stores,
            Appending appending,
            Concatenation concatenation,
            PublicAddress addresses,
            Clock clock) {
        this.access = access;
        this.buckets = buckets;
        this.stores = stores;
        this.appending = appending;
        this.concatenation = concatenation;
        this.addresses = addresses;
        this.clock = clock;
    }

    /** Answers a request for a new upload, maybe with its first bytes, or for one of partial uploads. */
    void create(StorageCall call, BodyReader body) {
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
        UploadAccess.Right right = access.begin(call, bucket.id(), name, file, length);
        stores.quota().require(call, partials.isEmpty() ? length.orElse(0) : 0);
        Optional<Checksum> checksum = Checksum.of(call);
        UUID writer = UUID.randomUUID();
        ResumableUpload upload = inserted(call, draft(call, file, bucket.id(), name, right, concat, length), writer);
        if (concat instanceof Concat.Final) {
            upload = concatenation.join(
                    call, appending.begun(call, upload.id(), access.caller(call), writer), writer, partials);
        } else if (TusHeaders.hasBytes(call) || length.orElse(1) == 0) {
            upload = appending.append(
                    call,
                    body,
                    appending.begun(call, upload.id(), access.caller(call), writer),
                    writer,
                    length,
                    bucket,
                    checksum);
        }
        created(call, upload);
    }

    private void created(StorageCall call, ResumableUpload upload) {
        call.response().putHeader("location", addresses.of(call, access.path() + "/" + upload.id()));
        TusResponses.progress(call, upload);
        TusResponses.end(call, 201);
    }

    private List<ResumableUpload> partials(StorageCall call, Concat.Final parts) {
        parts.partials().forEach(id -> access.admit(call, id));
        List<ResumableUpload> found = stores.rows().find(call, parts.partials(), access.caller(call));
        List<ResumableUpload> ordered = new ArrayList<>();
        for (UUID id : parts.partials()) {
            ResumableUpload upload = found.stream()
                    .filter(each -> each.id().equals(id) && each.partial())
                    .findFirst()
                    .orElseThrow(TusError::unknown);
            appending.requireAlive(upload);
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
}

package svc.storage.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.storage.body.CacheControl;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.content.Disposal;
import svc.storage.content.Stored;
import svc.storage.http.Answers;
import svc.storage.http.BodyFields;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.MimeType;
import svc.storage.name.ObjectName;
import svc.storage.rows.Bucket;
import svc.storage.rows.BucketRows;
import svc.storage.rows.ObjectRow;
import svc.storage.rows.ObjectRows;
import svc.storage.rows.ObjectRows.Entry;
import svc.storage.rows.ObjectRows.Written;

/** Moves and copies files. A move changes the row alone; a copy has bytes of its own. */
public final class Moves {
    private static final int MAX_RESTARTS = 20;

    private final BucketRows buckets;
    private final ObjectRows objects;
    private final ContentStore store;
    private final Disposal disposal;
    private final Quota quota;

    public Moves(BucketRows buckets, ObjectRows objects, ContentStore store, Disposal disposal, Quota quota) {
        this.buckets = buckets;
        this.objects = objects;
        this.store = store;
        this.disposal = disposal;
        this.quota = quota;
    }

    /** From where to where. */
    private record FilePair(String bucket, String name, Bucket otherBucket, String otherName) {}

    private FilePair files(StorageCall call) {
        BodyFields fields = BodyFields.of(call);
        String bucket = fields.required("bucketId");
        String name = ObjectName.normal(fields.required("sourceKey"));
        String otherName = ObjectName.accepted(fields.required("destinationKey"));
        Optional<Bucket> source = buckets.find(call, bucket).filter(Bucket::prepared);
        if (source.isEmpty()) {
            throw StorageError.noSuchObject();
        }
        String other =
                fields.text("destinationBucket").filter(id -> !id.isEmpty()).orElse(bucket);
        return new FilePair(bucket, name, other.equals(bucket) ? source.get() : buckets.look(call, other), otherName);
    }

    private ObjectRow source(StorageCall call, FilePair files) {
        ObjectRow row = objects.find(call, files.bucket(), files.name()).orElseThrow(StorageError::noSuchObject);
        if (row.size() > files.otherBucket().limit(call.tenant())) {
            throw StorageError.tooLarge();
        }
        return row;
    }

    /** {@code POST /object/move}. */
    public void move(StorageCall call) {
        FilePair files = files(call);
        ObjectRow row = source(call, files);
        if (!files.otherBucket().id().equals(files.bucket())) {
            MimeType.check(row.contentType(), files.otherBucket().types());
        }
        ObjectRow moved = Refusals.refusing(() -> objects.move(
                        call, files.bucket(), files.name(), files.otherBucket().id(), files.otherName()))
                .orElseThrow(StorageError::noSuchObject);
        Answers.json(
                call,
                StorageCall.newObject()
                        .put("message", "Successfully moved")
                        .put("Id", moved.id())
                        .put("Key", moved.bucket() + "/" + moved.name()));
    }

    /** {@code POST /object/copy}. */
    public void copy(StorageCall call) {
        FilePair files = files(call);
        ObjectRow row = source(call, files);
        Optional<ObjectRow> copy = copy(call, files, row);
        for (int replaced = 0; copy.isEmpty(); replaced++) {
            // The bytes of the row are gone: the file was replaced in this moment.
            ObjectRow now = source(call, files);
            if (now.version().equals(row.version()) || replaced == MAX_RESTARTS) {
                throw StorageError.noSuchObject();
            }
            row = now;
            copy = copy(call, files, row);
        }
        answer(call, copy.get());
    }

    private Optional<ObjectRow> copy(StorageCall call, FilePair files, ObjectRow row) {
        return copy(
                call,
                row,
                new Copy(
                        files.otherBucket(),
                        files.otherName(),
                        call.upsert(),
                        metadata(call, row),
                        userMetadata(call, row)));
    }

    /**
     * What a copy will be.
     *
     * @param upsert whether it may replace a file
     * @param userMetadata as JSON text; empty without any
     */
    public record Copy(Bucket bucket, String name, boolean upsert, ObjectNode metadata, String userMetadata) {}

    /**
     * Copies a file that the caller may read, with bytes of its own.
     *
     * @return empty, with nothing done, when the row's bytes are gone: then the file was replaced in this moment
     */
    public Optional<ObjectRow> copy(StorageCall call, ObjectRow row, Copy copy) {
        if (row.size() > copy.bucket().limit(call.tenant())) {
            throw StorageError.tooLarge();
        }
        quota.require(call, row.size());
        ContentKey to = ContentKey.fresh(call.tenant().projectId());
        MimeType.check(copy.metadata().path("mimetype").asText(), copy.bucket().types());
        Entry entry = new Entry(
                copy.bucket().id(),
                copy.name(),
                call.user().orElse(""),
                to.version().toString(),
                copy.metadata().toString(),
                copy.userMetadata());
        Refusals.refusing(() -> objects.tryWrite(call, entry, copy.upsert()));
        Optional<Stored> copied = row.key(call.tenant()).flatMap(from -> store.copy(from, to, row.size()));
        if (copied.isEmpty()) {
            return Optional.empty();
        }
        Written written = write(call, entry, copy.upsert(), copied.get());
        quota.count(call, row.size());
        written.replaced().ifPresent(old -> disposal.dispose(List.of(old)));
        return Optional.of(written.row());
    }

    private Written write(StorageCall call, Entry entry, boolean upsert, Stored copied) {
        try {
            return Refusals.refusing(() -> objects.write(call, entry, upsert));
        } catch (StorageError | PoolExhausted | SqlError e) {
            if (Refusals.isRefusal(e)) {
                disposal.dispose(List.of(copied.key()));
            }
            throw e;
        }
    }

    /** Of the original, but for what the call gives. The entity tag stays: the bytes are the same. */
    private static ObjectNode metadata(StorageCall call, ObjectRow row) {
        ObjectNode metadata = row.metadata() instanceof ObjectNode given ? given.deepCopy() : StorageCall.newObject();
        metadata.put(
                "lastModified",
                java.time.Instant.now()
                        .truncatedTo(java.time.temporal.ChronoUnit.MILLIS)
                        .toString());
        JsonNode given = call.body().path("metadata");
        if (given.path("mimetype").isTextual()) {
            metadata.put("mimetype", given.path("mimetype").asText());
        }
        if (given.path("cacheControl").isTextual()) {
            metadata.put(
                    "cacheControl",
                    CacheControl.ofHeader(given.path("cacheControl").asText()));
        }
        if (!metadata.path("mimetype").isTextual()) {
            metadata.put("mimetype", row.contentType());
        }
        return metadata;
    }

    private static String userMetadata(StorageCall call, ObjectRow row) {
        if (call.body().path("copyMetadata").asBoolean(true)) {
            return row.userMetadata().isObject() ? row.userMetadata().toString() : "";
        }
        return call.header("x-metadata")
                .flatMap(UploadTransfer::decoded)
                .map(Object::toString)
                .orElse("");
    }

    private static void answer(StorageCall call, ObjectRow row) {
        ObjectNode body = StorageCall.newObject().put("Id", row.id()).put("Key", row.bucket() + "/" + row.name());
        if (row.json() instanceof ObjectNode all) {
            body.setAll(all);
        }
        Answers.json(call, body);
    }
}

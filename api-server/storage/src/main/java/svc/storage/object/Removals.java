package svc.storage.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.storage.content.ContentKey;
import svc.storage.content.Disposal;
import svc.storage.http.Answers;
import svc.storage.http.BodyFields;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.ObjectName;
import svc.storage.rows.Bucket;
import svc.storage.rows.BucketRows;
import svc.storage.rows.ObjectRow;
import svc.storage.rows.ObjectRows;

/** Deletes files: their rows, then their bytes. */
public final class Removals {
    private static final int MAX_NAMES = 1_000;

    private final BucketRows buckets;
    private final ObjectRows objects;
    private final Disposal disposal;
    private final Quota quota;

    public Removals(BucketRows buckets, ObjectRows objects, Disposal disposal, Quota quota) {
        this.buckets = buckets;
        this.objects = objects;
        this.disposal = disposal;
        this.quota = quota;
    }

    /** {@code DELETE /object/{bucket}/{path}}. */
    public void one(StorageCall call) {
        if (delete(call, List.of(call.object())).isEmpty()) {
            throw StorageError.noSuchObject();
        }
        Answers.message(call, "Successfully deleted");
    }

    /** {@code DELETE /object/{bucket}}: answers with those that the caller may delete; the others are left out. */
    public void many(StorageCall call) {
        var gone = JsonNodeFactory.instance.arrayNode();
        for (ObjectRow row : delete(call, BodyFields.of(call).texts("prefixes", MAX_NAMES))) {
            JsonNode json = row.json();
            gone.add(json);
        }
        Answers.json(call, gone);
    }

    /** Deletes those of the names that the caller may delete, and says which these were. */
    public List<ObjectRow> delete(StorageCall call, List<String> names) {
        Optional<Bucket> bucket = buckets.find(call, call.bucket()).filter(Bucket::prepared);
        if (bucket.isEmpty()) {
            return List.of();
        }
        List<String> normal = names.stream().map(ObjectName::normal).toList();
        List<ObjectRow> gone = objects.delete(call, call.bucket(), normal);
        List<ContentKey> keys = new ArrayList<>();
        gone.forEach(row -> row.key(call.tenant()).ifPresent(keys::add));
        disposal.dispose(keys);
        quota.count(call, -gone.stream().mapToLong(ObjectRow::size).sum());
        return gone;
    }
}

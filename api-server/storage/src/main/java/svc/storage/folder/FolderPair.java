package svc.storage.folder;

import svc.storage.http.BodyFields;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.rows.Bucket;
import svc.storage.rows.BucketRows;

/**
 * The source and the destination of a move or copy.
 *
 * @param bucket of the destination
 */
record FolderPair(Folder from, Folder to, Bucket bucket) {
    /** @throws StorageError for folders of which one lies in the other: names would be changed twice */
    static FolderPair of(StorageCall call, BucketRows buckets) {
        BodyFields fields = BodyFields.of(call);
        String bucket = fields.required("bucketId");
        String other =
                fields.text("destinationBucket").filter(id -> !id.isEmpty()).orElse(bucket);
        Folder from = Folder.of(bucket, fields.required("sourceKey"));
        Folder to = Folder.of(other, fields.required("destinationKey"));
        if (from.overlaps(to)) {
            throw StorageError.invalidRequest("One of sourceKey and destinationKey lies in the other");
        }
        Bucket source = buckets.look(call, bucket);
        Folders.requirePrepared(source);
        return new FolderPair(from, to, other.equals(bucket) ? source : buckets.look(call, other));
    }
}

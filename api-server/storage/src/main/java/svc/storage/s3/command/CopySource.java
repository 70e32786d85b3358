package svc.storage.s3.command;

import java.util.Optional;
import svc.storage.http.StorageError;
import svc.storage.name.ObjectName;
import svc.storage.rows.BucketRows;
import svc.storage.rows.ObjectRow;
import svc.storage.rows.ObjectRows;
import svc.storage.s3.signature.UriText;
import svc.storage.s3.xml.S3Error;

/**
 * The object that {@code x-amz-copy-source} names.
 *
 * @param name normalized
 */
record CopySource(String bucket, String name) {
    static CopySource of(S3Call call) {
        String header = call.header("x-amz-copy-source").orElse("");
        int query = header.indexOf('?');
        if (query >= 0 && !header.substring(query).equals("?versionId=null")) {
            throw S3Error.notImplemented("Versions of objects are not supported.");
        }
        String path = UriText.decoded(query < 0 ? header : header.substring(0, query));
        String bare = path.startsWith("/") ? path.substring(1) : path;
        int slash = bare.indexOf('/');
        if (slash <= 0 || slash == bare.length() - 1 || bare.indexOf('\0') >= 0) {
            throw S3Error.invalidArgument("Copy Source must mention the source bucket and key: sourcebucket/sourcekey");
        }
        return new CopySource(bare.substring(0, slash), ObjectName.normal(bare.substring(slash + 1)));
    }

    /** Its row, if the caller may read it and the conditions of the request hold. */
    ObjectRow row(S3Call call, ObjectRows objects, BucketRows buckets) {
        Optional<ObjectRow> row = objects.find(call.call(), bucket, name);
        if (row.isEmpty()) {
            buckets.look(call.call(), bucket);
            throw StorageError.noSuchObject();
        }
        Preconditions.requireOfSource(call, row.get());
        return row.get();
    }
}

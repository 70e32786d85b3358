package svc.storage.s3.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import svc.storage.http.StorageCall;
import svc.storage.name.ObjectName;
import svc.storage.object.Refusals;
import svc.storage.rows.MultipartRows;
import svc.storage.rows.MultipartRows.Upload;
import svc.storage.rows.ObjectRows;
import svc.storage.rows.ObjectRows.Entry;
import svc.storage.s3.xml.S3Error;

/**
 * Finds the upload that a request names, for the caller who began it, and asks whether that caller may still write the
 * object. An upload of another user, object or project is not there.
 */
final class MultipartUploads {
    static final int MAX_PARTS = 10_000;

    private final MultipartRows rows;
    private final ObjectRows objects;

    MultipartUploads(MultipartRows rows, ObjectRows objects) {
        this.rows = rows;
        this.objects = objects;
    }

    Upload require(S3Call call) {
        return require(call, 0);
    }

    /** @param number of the part that will be stored */
    Upload require(S3Call call, int number) {
        String id = call.parameter("uploadId").orElse("");
        return rows.find(call.call(), id, call.bucket(), ObjectName.normal(call.key()), number)
                .filter(found -> call.call().isService()
                        || found.owner().equals(call.call().user().orElse("")))
                .orElseThrow(S3Error::noSuchUpload);
    }

    /** @param length of what is written, in bytes */
    void requireRight(S3Call call, Upload upload, long length, boolean replace) {
        ObjectNode draft = StorageCall.newObject()
                .put("mimetype", upload.metadata().path("mimetype").asText())
                .put("contentLength", length);
        Entry entry = entry(call, upload, draft);
        Refusals.refusing(() -> objects.tryWrite(call.call(), entry, replace));
    }

    static Entry entry(S3Call call, Upload upload, ObjectNode metadata) {
        return new Entry(
                call.bucket(),
                ObjectName.normal(call.key()),
                upload.owner(),
                upload.version(),
                metadata.toString(),
                upload.userMetadata());
    }
}

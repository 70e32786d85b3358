package svc.storage.object;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.temporal.ChronoUnit;
import svc.storage.content.Stored;
import svc.storage.http.StorageCall;

/** The metadata of a file that its bytes decide, under storage-api's names. */
public final class StoredMetadata {
    private StoredMetadata() {}

    /** What a row says of its bytes. */
    public static ObjectNode of(Stored bytes, String mimetype, String cacheControl) {
        return StorageCall.newObject()
                .put("eTag", bytes.etag())
                .put("size", bytes.size())
                .put("mimetype", mimetype)
                .put("cacheControl", cacheControl)
                .put(
                        "lastModified",
                        bytes.modified().truncatedTo(ChronoUnit.MILLIS).toString())
                .put("contentLength", bytes.size())
                .put("httpStatusCode", 200);
    }
}

package svc.storage.object;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.http.HttpVersion;
import java.io.InputStream;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import svc.platform.dataplane.RequestBody;
import svc.platform.memory.ByteBudget;
import svc.storage.body.BodyReader;
import svc.storage.body.FormReader;
import svc.storage.content.ContentStore;
import svc.storage.content.Disposal;
import svc.storage.http.Answers;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.ObjectName;
import svc.storage.rows.Bucket;
import svc.storage.rows.BucketRows;
import svc.storage.rows.ObjectRow;
import svc.storage.rows.ObjectRows;

/**
 * Stores files. The order of the steps is what keeps rows and bytes together: the caller's right is checked, the bytes are
 * stored under a new key, the row names them, and the bytes that it named before are deleted. Wherever that ends, readers
 * have the old file or the new one, and what nothing names is swept.
 */
public final class Uploads {

    private final BucketRows buckets;
    private final UploadTransfer.Services services;
    private final Quota quota;
    private final Function<String, ByteBudget.Account> memory;

    public Uploads(
            BucketRows buckets,
            ObjectRows objects,
            ContentStore store,
            Disposal disposal,
            Quota quota,
            Function<String, ByteBudget.Account> memory) {
        this.buckets = buckets;
        this.services = new UploadTransfer.Services(objects, store, disposal, quota);
        this.quota = quota;
        this.memory = memory;
    }

    /**
     * The destination of an upload.
     *
     * @param owner of the file; empty for none
     * @param authorized whether a signed URL has given the right already
     */
    public record Target(Bucket bucket, String name, String owner, boolean upsert, boolean authorized) {}

    /**
     * A file as another protocol gives it.
     *
     * @param stream its bytes; a failure while they are read leaves nothing
     * @param length in bytes; empty where it is not known
     * @param more that its metadata says besides
     */
    public record Content(
            InputStream stream,
            OptionalLong length,
            String mimetype,
            String cacheControl,
            Optional<ObjectNode> userMetadata,
            ObjectNode more) {}

    /**
     * The size of an upload, in bytes.
     *
     * @param limit of the file
     * @param capacity of the part that is held
     * @param declared length of the body
     */
    record Size(long limit, int capacity, OptionalLong declared) {}

    /** {@code POST /object/{bucket}/{path}}: a new file, or with {@code x-upsert} any. */
    public void create(StorageCall call, BodyReader body) {
        answer(call, put(call, body, call.upsert()));
    }

    /** {@code PUT /object/{bucket}/{path}}. */
    public void update(StorageCall call, BodyReader body) {
        answer(call, put(call, body, true));
    }

    private ObjectRow put(StorageCall call, BodyReader body, boolean upsert) {
        String name = ObjectName.accepted(call.object());
        Bucket bucket = buckets.prepared(call, call.bucket());
        return put(call, body, new Target(bucket, name, call.user().orElse(""), upsert, false));
    }

    private static void answer(StorageCall call, ObjectRow row) {
        Answers.json(call, StorageCall.newObject().put("Id", row.id()).put("Key", row.bucket() + "/" + row.name()));
    }

    ObjectRow put(StorageCall call, BodyReader body, Target target) {
        long announced = announced(call);
        String type = call.header("content-type").orElse("");
        boolean form = FormReader.isForm(type);
        long limit = target.bucket().limit(call.tenant());
        if (!form && call.header("content-length").isPresent() && announced > limit) {
            throw StorageError.tooLarge();
        }
        // What a file replaces gives its bytes back: that is asked once the right to replace it is known.
        quota.require(call, form || target.upsert() || announced == Long.MAX_VALUE ? 0 : announced);
        int capacity = capacity(announced);
        OptionalLong declared = call.header("content-length").isPresent()
                ? OptionalLong.of(RequestBody.announced(call.request()))
                : OptionalLong.empty();
        long whole = capacity + Math.min(announced, UploadTransfer.MAX_USER_METADATA);
        try (var held = new UploadMemory(memory.apply(call.tenant().ref()), body, whole)) {
            var transfer = new UploadTransfer(services, call, target, new Size(limit, capacity, declared), held);
            return form ? transfer.form(held.arriving(), type) : transfer.raw(body, type);
        }
    }

    /** Stores the file of another protocol, by the same rules. */
    public ObjectRow put(StorageCall call, BodyReader body, Target target, Content content) {
        long length = content.length().orElse(Long.MAX_VALUE);
        long limit = target.bucket().limit(call.tenant());
        if (content.length().isPresent() && length > limit) {
            throw StorageError.tooLarge();
        }
        quota.require(call, target.upsert() ? 0 : content.length().orElse(0));
        int capacity = capacity(length);
        try (var held = new UploadMemory(memory.apply(call.tenant().ref()), body, capacity)) {
            var size = new Size(limit, capacity, content.length());
            return new UploadTransfer(services, call, target, size, held).content(content);
        }
    }

    private static int capacity(long length) {
        return (int) Math.max(1, Math.min(length, ContentStore.PART_BYTES));
    }

    /** In bytes; the greatest number for a body of unknown length. HTTP/2 has no header for one. */
    public static long announced(StorageCall call) {
        boolean unknown = call.header("content-length").isEmpty()
                && (RequestBody.isExpected(call.request()) || call.request().version() == HttpVersion.HTTP_2);
        return unknown ? Long.MAX_VALUE : RequestBody.announced(call.request());
    }
}

package svc.storage.object;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import svc.platform.dataplane.RequestBody;
import svc.platform.memory.ByteBudget;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.storage.body.BodyReader;
import svc.storage.body.CacheControl;
import svc.storage.body.FormReader;
import svc.storage.body.Upload;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.content.Disposal;
import svc.storage.content.Stored;
import svc.storage.http.Answers;
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

/**
 * Stores files. The order of the steps is what keeps rows and bytes together: the caller's right is tried, the bytes are
 * stored under a new key, the row names them, and the bytes that it named before are deleted. Wherever that ends, readers
 * have the old file or the new one, and what nothing names is swept.
 */
public final class Uploads {
    private static final int MAX_USER_METADATA = 1 << 20;
    private static final String UNIQUE = "23505";
    private static final String FOREIGN_KEY = "23503";

    private final BucketRows buckets;
    private final ObjectRows objects;
    private final ContentStore store;
    private final Disposal disposal;
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
        this.objects = objects;
        this.store = store;
        this.disposal = disposal;
        this.quota = quota;
        this.memory = memory;
    }

    /**
     * Who puts what where.
     *
     * @param tried whether the right was found before: by a signed URL
     */
    public record Target(Bucket bucket, String name, String owner, boolean upsert, boolean tried) {}

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
        quota.require(call, form || announced == Long.MAX_VALUE ? 0 : announced);
        int capacity = capacity(announced);
        OptionalLong declared = call.header("content-length").isPresent()
                ? OptionalLong.of(RequestBody.announced(call.request()))
                : OptionalLong.empty();
        try (ByteBudget.Permit permit = Waiting.forMemory(
                memory.apply(call.tenant().ref()), capacity + Math.min(announced, MAX_USER_METADATA))) {
            body.begin();
            var transfer = new Transfer(call, target, limit, capacity, declared);
            return form ? transfer.form(body, type) : transfer.raw(body, type);
        }
    }

    /** Stores the file of another protocol, by the same rules. */
    public ObjectRow put(StorageCall call, BodyReader body, Target target, Content content) {
        long length = content.length().orElse(Long.MAX_VALUE);
        long limit = target.bucket().limit(call.tenant());
        if (content.length().isPresent() && length > limit) {
            throw StorageError.tooLarge();
        }
        quota.require(call, content.length().orElse(0));
        int capacity = capacity(length);
        try (ByteBudget.Permit permit =
                Waiting.forMemory(memory.apply(call.tenant().ref()), capacity)) {
            body.begin();
            return new Transfer(call, target, limit, capacity, content.length()).content(content);
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

    /** One upload on its way. */
    private final class Transfer {
        private final StorageCall call;
        private final Target target;
        private final long limit;
        private final int capacity;
        private final OptionalLong declared;
        private final ContentKey key;
        private Optional<Stored> stored = Optional.empty();
        private String mimetype = MimeType.UNKNOWN;

        /** @param declared length of the body */
        Transfer(StorageCall call, Target target, long limit, int capacity, OptionalLong declared) {
            this.call = call;
            this.target = target;
            this.limit = ObjectName.isEmptyFolder(target.name()) ? Math.max(limit, 1) : limit;
            this.capacity = capacity;
            this.declared = declared;
            this.key = ContentKey.fresh(call.tenant().projectId());
        }

        ObjectRow raw(InputStream body, String type) {
            var upload = new Upload(
                    body,
                    Optional.of(type).filter(given -> !given.isBlank()),
                    call.header("cache-control").map(CacheControl::ofHeader),
                    call.header("x-metadata").flatMap(Uploads::decoded));
            return whole(() -> {
                Stored bytes = receive(upload);
                return commit(bytes, upload.cacheControl(), upload.userMetadata());
            });
        }

        ObjectRow content(Content content) {
            var upload = new Upload(
                    content.stream(),
                    Optional.of(content.mimetype()),
                    Optional.of(content.cacheControl()),
                    content.userMetadata());
            return whole(() -> commit(receive(upload), upload.cacheControl(), upload.userMetadata(), content.more()));
        }

        ObjectRow form(InputStream body, String type) {
            return whole(() -> {
                FormReader.Read<Stored> read = FormReader.read(body, type, limit, this::receive);
                return commit(read.stored(), read.cacheControl(), read.userMetadata());
            });
        }

        /** Leaves no bytes behind when the upload fails. */
        private ObjectRow whole(java.util.function.Supplier<ObjectRow> work) {
            boolean done = false;
            try {
                ObjectRow row = work.get();
                done = true;
                return row;
            } finally {
                if (!done) {
                    stored.ifPresent(bytes -> disposal.dispose(List.of(bytes.key())));
                }
            }
        }

        /** Before the first byte is stored, everything is checked that can be. */
        private Stored receive(Upload upload) {
            mimetype = upload.contentType().orElse(MimeType.UNKNOWN);
            if (!ObjectName.isEmptyFolder(target.name())) {
                MimeType.check(mimetype, target.bucket().types());
            }
            if (!target.tried()) {
                ObjectNode draft = StorageCall.newObject().put("mimetype", mimetype);
                declared.ifPresent(length -> draft.put("contentLength", length));
                Entry entry = entry(draft, upload.userMetadata());
                refusing(() -> objects.tryWrite(call, entry, target.upsert()));
            }
            try {
                return store(upload.content());
            } catch (IOException e) {
                throw StorageError.invalidRequest("The body cannot be read: " + e.getMessage());
            }
        }

        private Stored store(InputStream content) throws IOException {
            byte[] buffer = new byte[capacity];
            int length = content.readNBytes(buffer, 0, capacity);
            check(length);
            int next = length < capacity ? -1 : content.read();
            if (next < 0) {
                stored = Optional.of(store.put(key, buffer, length));
                return stored.get();
            }
            if (capacity < ContentStore.PART_BYTES) {
                throw StorageError.invalidRequest("The body is longer than its Content-Length");
            }
            return inParts(content, buffer, next);
        }

        private Stored inParts(InputStream content, byte[] buffer, int first) throws IOException {
            ContentStore.Parts parts = store.begin(key);
            boolean complete = false;
            try {
                long size = capacity;
                parts.add(buffer, capacity);
                int next = first;
                while (next >= 0) {
                    buffer[0] = (byte) next;
                    int length = 1 + content.readNBytes(buffer, 1, capacity - 1);
                    size += length;
                    check(size);
                    quota.require(call, size);
                    next = length < capacity ? -1 : content.read();
                    parts.add(buffer, length);
                }
                stored = Optional.of(parts.complete());
                complete = true;
                return stored.get();
            } finally {
                if (!complete) {
                    parts.abandon();
                }
            }
        }

        private void check(long size) {
            if (size > limit) {
                throw StorageError.tooLarge();
            }
        }

        private ObjectRow commit(Stored bytes, Optional<String> cacheControl, Optional<ObjectNode> userMetadata) {
            return commit(bytes, cacheControl, userMetadata, StorageCall.newObject());
        }

        private ObjectRow commit(
                Stored bytes, Optional<String> cacheControl, Optional<ObjectNode> userMetadata, ObjectNode more) {
            quota.require(call, bytes.size());
            ObjectNode metadata = Uploads.metadata(bytes, mimetype, cacheControl.orElse(CacheControl.NONE));
            metadata.setAll(more);
            Entry entry = entry(metadata, userMetadata);
            Written written = write(entry);
            quota.count(call, bytes.size());
            written.replaced().ifPresent(old -> disposal.dispose(List.of(old)));
            return written.row();
        }

        /** From here on a row may name the bytes: only a refusal says that none does. */
        private Written write(Entry entry) {
            Optional<Stored> bytes = stored;
            stored = Optional.empty();
            try {
                return refusing(() -> objects.write(call, entry, target.upsert()));
            } catch (StorageError | PoolExhausted | SqlError e) {
                stored = isRefusal(e) ? bytes : Optional.empty();
                throw e;
            }
        }

        private Entry entry(ObjectNode metadata, Optional<ObjectNode> userMetadata) {
            return new Entry(
                    target.bucket().id(),
                    target.name(),
                    target.owner(),
                    key.version().toString(),
                    metadata.toString(),
                    userMetadata.map(Uploads::bounded).orElse(""));
        }
    }

    /** What a row says of its bytes. */
    public static ObjectNode metadata(Stored bytes, String mimetype, String cacheControl) {
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

    private static String bounded(ObjectNode userMetadata) {
        String text = userMetadata.toString();
        if (text.getBytes(StandardCharsets.UTF_8).length > MAX_USER_METADATA) {
            throw StorageError.metadataTooLarge();
        }
        return text;
    }

    static Optional<ObjectNode> decoded(String base64) {
        try {
            return StorageCall.readObject(new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether a row is surely not written. A connection that broke does not say; the sweeper finds out later. */
    public static boolean isRefusal(RuntimeException failure) {
        return !(failure instanceof SqlError error) || error.fromServer() && !error.infrastructure();
    }

    /** As the other one, without a result. */
    public static void refusing(Runnable work) {
        refusing(() -> {
            work.run();
            return true;
        });
    }

    /** Says that a file is there already, or its bucket no longer. */
    public static <T> T refusing(java.util.function.Supplier<T> work) {
        try {
            return work.get();
        } catch (SqlError e) {
            if (e.is(UNIQUE)) {
                throw StorageError.objectExists();
            }
            throw e.is(FOREIGN_KEY) ? StorageError.noSuchBucket() : e;
        }
    }
}

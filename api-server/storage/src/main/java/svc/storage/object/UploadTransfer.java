package svc.storage.object;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.storage.body.CacheControl;
import svc.storage.body.FormReader;
import svc.storage.body.Upload;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.content.Disposal;
import svc.storage.content.Stored;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.MimeType;
import svc.storage.name.ObjectName;
import svc.storage.object.Uploads.Content;
import svc.storage.object.Uploads.Target;
import svc.storage.rows.ObjectRow;
import svc.storage.rows.ObjectRows;
import svc.storage.rows.ObjectRows.Entry;
import svc.storage.rows.ObjectRows.Written;

/** One upload on its way: its bytes are stored and then named by a row. Leaves no bytes behind when it fails. */
final class UploadTransfer {
    static final int MAX_USER_METADATA = 1 << 20;

    /** What an upload works with. */
    record Services(ObjectRows objects, ContentStore store, Disposal disposal, Quota quota) {}

    /** What the client says of the file, apart from its bytes. What is committed must be what policies were asked about. */
    private record Declared(Optional<String> cacheControl, Optional<ObjectNode> userMetadata) {}

    private final Services services;
    private final StorageCall call;
    private final Target target;
    private final long limit;
    private final int capacity;
    private final OptionalLong declared;
    private final UploadMemory memory;
    private final ContentKey key;
    private Optional<Stored> stored = Optional.empty();
    private String mimetype = MimeType.UNKNOWN;
    private ObjectNode more = StorageCall.newObject();
    private long announced;
    private long freed;
    private Declared tried = new Declared(Optional.empty(), Optional.empty());

    UploadTransfer(Services services, StorageCall call, Target target, Uploads.Size size, UploadMemory memory) {
        this.services = services;
        this.call = call;
        this.target = target;
        this.limit = ObjectName.isEmptyFolder(target.name()) ? Math.max(size.limit(), 1) : size.limit();
        this.capacity = size.capacity();
        this.declared = size.declared();
        this.memory = memory;
        this.key = ContentKey.fresh(call.tenant().projectId());
    }

    ObjectRow raw(InputStream body, String type) {
        var upload = new Upload(
                body,
                Optional.of(type).filter(given -> !given.isBlank()),
                call.header("cache-control").map(CacheControl::ofHeader),
                call.header("x-metadata").flatMap(UploadTransfer::decoded));
        announced = declared.orElse(0);
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
        more = content.more();
        announced = declared.orElse(0);
        return whole(() -> commit(receive(upload), upload.cacheControl(), upload.userMetadata()));
    }

    ObjectRow form(InputStream body, String type) {
        return whole(() -> {
            FormReader.Read<Stored> read = FormReader.read(body, type, limit, this::receive);
            Declared all = new Declared(read.cacheControl(), read.userMetadata());
            if (!all.equals(tried)) {
                // Fields behind the file: policies have not been asked about them.
                tryWrite(all);
            }
            return commit(read.stored(), read.cacheControl(), read.userMetadata());
        });
    }

    /** Leaves no bytes behind when the upload fails. */
    private ObjectRow whole(Supplier<ObjectRow> work) {
        boolean done = false;
        try {
            ObjectRow row = work.get();
            done = true;
            return row;
        } finally {
            if (!done) {
                stored.ifPresent(bytes -> services.disposal().dispose(List.of(bytes.key())));
            }
        }
    }

    /** Before the first byte is stored, everything is checked that can be. */
    private Stored receive(Upload upload) {
        mimetype = upload.contentType().orElse(MimeType.UNKNOWN);
        if (!ObjectName.isEmptyFolder(target.name())) {
            MimeType.check(mimetype, target.bucket().types());
        }
        tryWrite(new Declared(upload.cacheControl(), upload.userMetadata()));
        if (target.upsert() && services.quota().isLimited(call)) {
            freed = services.objects().replaceable(call, target.bucket().id(), target.name());
        }
        require(announced);
        memory.reserve();
        try {
            return store(upload.content());
        } catch (IOException e) {
            throw StorageError.invalidRequest("The body cannot be read: " + e.getMessage());
        }
    }

    private void tryWrite(Declared now) {
        tried = now;
        if (target.authorized()) {
            return;
        }
        ObjectNode draft = StorageCall.newObject()
                .put("mimetype", mimetype)
                .put("cacheControl", now.cacheControl().orElse(CacheControl.NONE));
        draft.setAll(more);
        declared.ifPresent(length -> draft.put("contentLength", length));
        Entry entry = entry(draft, now.userMetadata());
        Refusals.refusing(() -> services.objects().tryWrite(call, entry, target.upsert()));
    }

    private Stored store(InputStream content) throws IOException {
        byte[] buffer = new byte[capacity];
        int length = content.readNBytes(buffer, 0, capacity);
        check(length);
        int next = length < capacity ? -1 : content.read();
        if (next < 0) {
            stored = Optional.of(services.store().put(key, buffer, length));
            return stored.get();
        }
        if (capacity < ContentStore.PART_BYTES) {
            throw StorageError.invalidRequest("The body is longer than its Content-Length");
        }
        return inParts(content, buffer, next);
    }

    private Stored inParts(InputStream content, byte[] buffer, int first) throws IOException {
        ContentStore.Parts parts = services.store().begin(key);
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
                require(size);
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

    /** Bytes more than the file has that is replaced. */
    private void require(long bytes) {
        services.quota().require(call, bytes - freed);
    }

    private void check(long size) {
        if (size > limit) {
            throw StorageError.tooLarge();
        }
    }

    private ObjectRow commit(Stored bytes, Optional<String> cacheControl, Optional<ObjectNode> userMetadata) {
        require(bytes.size());
        ObjectNode metadata = StoredMetadata.of(bytes, mimetype, cacheControl.orElse(CacheControl.NONE));
        metadata.setAll(more);
        Entry entry = entry(metadata, userMetadata);
        Written written = write(entry);
        services.quota().count(call, bytes.size() - freed);
        written.replaced().ifPresent(old -> services.disposal().dispose(List.of(old)));
        return written.row();
    }

    /** From here on a row may name the bytes: only a refusal says that none does. */
    private Written write(Entry entry) {
        Optional<Stored> bytes = stored;
        stored = Optional.empty();
        try {
            return Refusals.refusing(() -> services.objects().write(call, entry, target.upsert()));
        } catch (StorageError | PoolExhausted | SqlError e) {
            stored = Refusals.isRefusal(e) ? bytes : Optional.empty();
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
                userMetadata.map(UploadTransfer::bounded).orElse(""));
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
}

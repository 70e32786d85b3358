package svc.storage.s3.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import svc.platform.memory.ByteBudget;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.ObjectName;
import svc.storage.object.FileTransfer;
import svc.storage.object.Moves;
import svc.storage.object.Removals;
import svc.storage.object.Uploads;
import svc.storage.object.Uploads.Content;
import svc.storage.object.Uploads.Target;
import svc.storage.object.Waiting;
import svc.storage.rows.Bucket;
import svc.storage.rows.BucketRows;
import svc.storage.rows.ObjectRow;
import svc.storage.rows.ObjectRows;
import svc.storage.s3.signature.Payload;
import svc.storage.s3.xml.S3Error;
import svc.storage.s3.xml.XmlElement;
import svc.storage.s3.xml.XmlText;

/** Commands on objects. */
public final class ObjectCommands {
    private static final int MAX_DELETED = 1_000;
    private static final int DOCUMENT_COPIES = 4;

    private final BucketRows buckets;
    private final ObjectRows objects;
    private final Uploads uploads;
    private final FileTransfer files;
    private final Moves moves;
    private final Removals removals;
    private final Function<String, ByteBudget.Account> memory;

    public ObjectCommands(
            BucketRows buckets,
            ObjectRows objects,
            Uploads uploads,
            FileTransfer files,
            Moves moves,
            Removals removals,
            Function<String, ByteBudget.Account> memory) {
        this.buckets = buckets;
        this.objects = objects;
        this.uploads = uploads;
        this.files = files;
        this.moves = moves;
        this.removals = removals;
        this.memory = memory;
    }

    /** PutObject. */
    void put(S3Call call) {
        ObjectHeaders.requireSupported(call);
        boolean replace = Preconditions.mayReplace(call);
        Payload payload = call.payload();
        if (payload.length().isEmpty()) {
            throw S3Error.missingLength();
        }
        String name = ObjectName.accepted(call.key());
        Bucket bucket = buckets.prepared(call.call(), call.bucket());
        var target = new Target(bucket, name, call.call().user().orElse(""), replace, false);
        var content = new Content(
                payload,
                payload.length(),
                ObjectHeaders.mimetype(call::header),
                ObjectHeaders.cacheControl(call::header),
                ObjectHeaders.userMetadata(call.call().request().headers()),
                ObjectHeaders.more(call::header));
        ObjectRow row = unlessThere(() -> uploads.put(call.call(), call.body(), target, content));
        call.response().putHeader("etag", row.etag());
        call.answer(200);
    }

    /** An object that must not be replaced, and is there, is a condition that does not hold. */
    private static ObjectRow unlessThere(java.util.function.Supplier<ObjectRow> write) {
        try {
            return write.get();
        } catch (StorageError e) {
            throw e.code().equals("KeyAlreadyExists") ? S3Error.preconditionFailed() : e;
        }
    }

    /** GetObject and HeadObject. */
    void get(S3Call call) {
        if (call.parameter("partNumber").isPresent()) {
            throw S3Error.notImplemented("Parts of an object cannot be read by their numbers.");
        }
        files.serve(
                call.call(),
                () -> Optional.of(readable(call)),
                (response, row) -> ObjectHeaders.answer(call, response, row));
    }

    private ObjectRow readable(S3Call call) {
        Optional<ObjectRow> row = objects.find(call.call(), call.bucket(), ObjectName.normal(call.key()));
        if (row.isEmpty()) {
            buckets.look(call.call(), call.bucket());
            throw StorageError.noSuchObject();
        }
        Preconditions.require(call, row.get());
        return row.get();
    }

    /** GetObjectTagging: objects have no tags. */
    void tagging(S3Call call) {
        readable(call);
        call.answer(XmlText.document("Tagging", xml -> xml.element("TagSet", none -> {})));
    }

    /** CopyObject. */
    void copy(S3Call call) {
        ObjectHeaders.requireSupported(call);
        boolean replace = Preconditions.mayReplace(call);
        CopySource source = CopySource.of(call);
        String name = ObjectName.accepted(call.key());
        boolean fresh = replacesMetadata(call);
        if (!fresh && source.equals(new CopySource(call.bucket(), name))) {
            throw S3Error.invalidRequest(
                    "This copy request is illegal because it is trying to copy an object to itself without changing the"
                            + " object's metadata.");
        }
        ObjectRow row = source.row(call, objects, buckets);
        Bucket bucket = buckets.prepared(call.call(), call.bucket());
        String userMetadata = fresh
                ? ObjectHeaders.userMetadata(call.call().request().headers())
                        .map(ObjectNode::toString)
                        .orElse("")
                : row.userMetadata().isObject() ? row.userMetadata().toString() : "";
        var copy = new Moves.Copy(bucket, name, replace, metadata(call, row, fresh), userMetadata);
        ObjectRow made = unlessThere(() -> moves.copy(call.call(), row, copy).orElseThrow(StorageError::noSuchObject));
        call.answer(XmlText.document(
                "CopyObjectResult",
                xml -> xml.text("ETag", made.etag())
                        .text("LastModified", made.modified().toString())));
    }

    private static boolean replacesMetadata(S3Call call) {
        String directive = call.header("x-amz-metadata-directive").orElse("COPY");
        if (!directive.equals("COPY") && !directive.equals("REPLACE")) {
            throw S3Error.invalidArgument("Unknown metadata directive.");
        }
        return directive.equals("REPLACE");
    }

    /** The bytes' own part stays: their size and entity tag. */
    private static ObjectNode metadata(S3Call call, ObjectRow row, boolean fresh) {
        ObjectNode metadata = row.metadata() instanceof ObjectNode given ? given.deepCopy() : StorageCall.newObject();
        metadata.put(
                "lastModified", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
        if (fresh) {
            metadata.remove(List.of("contentEncoding", "contentDisposition", "contentLanguage"));
            metadata.put("mimetype", ObjectHeaders.mimetype(call::header))
                    .put("cacheControl", ObjectHeaders.cacheControl(call::header))
                    .setAll(ObjectHeaders.more(call::header));
        } else if (!metadata.path("mimetype").isTextual()) {
            metadata.put("mimetype", row.contentType());
        }
        return metadata;
    }

    /** DeleteObject: also for an object that is not there, but not for one that the caller sees and may not delete. */
    void delete(S3Call call) {
        String name = ObjectName.normal(call.key());
        if (removals.delete(call.call(), List.of(name)).isEmpty()) {
            buckets.look(call.call(), call.bucket());
            if (objects.find(call.call(), call.bucket(), name).isPresent()) {
                throw StorageError.rowSecurity();
            }
        }
        call.answer(204);
    }

    /** DeleteObjects. */
    void deleteMany(S3Call call) {
        Payload payload = call.payload();
        long length = payload.length().orElseThrow(S3Error::missingLength);
        long held = DOCUMENT_COPIES * Math.min(length, S3Call.MAX_DOCUMENT);
        try (ByteBudget.Permit permit =
                Waiting.forMemory(memory.apply(call.call().tenant().ref()), Math.max(1, held))) {
            XmlElement document = call.document(payload, "Delete");
            List<String> keys = keys(document);
            buckets.look(call.call(), call.bucket());
            boolean quiet = document.child("Quiet").filter("true"::equals).isPresent();
            answerDeleted(call, keys, refused(call, keys), quiet);
        }
    }

    private static List<String> keys(XmlElement document) {
        List<String> keys = new ArrayList<>();
        for (XmlElement object : document.children("Object")) {
            String key = object.exactly("Key").orElse("");
            if (key.isEmpty() || keys.size() == MAX_DELETED || key.indexOf('\0') >= 0) {
                throw S3Error.malformedXml("A Delete has 1 to 1000 Objects, each with a Key.");
            }
            if (object.child("VersionId")
                    .filter(version -> !version.equals("null"))
                    .isPresent()) {
                throw S3Error.notImplemented("Versions of objects are not supported.");
            }
            keys.add(key);
        }
        if (keys.isEmpty()) {
            throw S3Error.malformedXml("A Delete has 1 to 1000 Objects, each with a Key.");
        }
        return keys;
    }

    /** Those of the names that are still there for the caller, normalized. */
    private Set<String> refused(S3Call call, List<String> keys) {
        List<String> names = keys.stream().map(ObjectName::normal).distinct().toList();
        Set<String> left = new HashSet<>(names);
        removals.delete(call.call(), names).forEach(row -> left.remove(row.name()));
        return left.isEmpty() ? left : new HashSet<>(objects.readable(call.call(), call.bucket(), List.copyOf(left)));
    }

    private static void answerDeleted(S3Call call, List<String> keys, Set<String> refused, boolean quiet) {
        call.answer(XmlText.document("DeleteResult", xml -> {
            for (String key : keys) {
                if (refused.contains(ObjectName.normal(key))) {
                    xml.element(
                            "Error",
                            one -> one.text("Key", key)
                                    .text("Code", "AccessDenied")
                                    .text("Message", "Access Denied"));
                } else if (!quiet) {
                    xml.element("Deleted", one -> one.text("Key", key));
                }
            }
        }));
    }
}

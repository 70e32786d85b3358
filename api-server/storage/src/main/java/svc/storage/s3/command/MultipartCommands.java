package svc.storage.s3.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.platform.memory.ByteBudget;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore.NumberedPart;
import svc.storage.content.Stored;
import svc.storage.http.StorageError;
import svc.storage.name.MimeType;
import svc.storage.name.ObjectName;
import svc.storage.object.Refusals;
import svc.storage.object.StoredMetadata;
import svc.storage.object.Waiting;
import svc.storage.rows.Bucket;
import svc.storage.rows.MultipartRows.Beginning;
import svc.storage.rows.MultipartRows.Bounds;
import svc.storage.rows.MultipartRows.Part;
import svc.storage.rows.MultipartRows.Upload;
import svc.storage.rows.ObjectRow;
import svc.storage.rows.ObjectRows.Entry;
import svc.storage.rows.ObjectRows.Written;
import svc.storage.s3.xml.S3Error;
import svc.storage.s3.xml.XmlElement;
import svc.storage.s3.xml.XmlText;

/** Begins, completes and aborts uploads in parts. Until one is complete, nothing of it can be read. */
public final class MultipartCommands {
    /** As of resumable uploads: one user leaves room for others. */
    private static final Bounds BOUNDS = new Bounds(1_000, 10_000);

    private static final long MIN_PART = 5L << 20;
    private static final int DOCUMENT_COPIES = 4;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,5}");

    private final MultipartServices with;
    private final MultipartUploads uploads;

    public MultipartCommands(MultipartServices with) {
        this.with = with;
        this.uploads = new MultipartUploads(with.rows(), with.objects());
    }

    /** CreateMultipartUpload. */
    void create(S3Call call) {
        ObjectHeaders.requireSupported(call);
        String name = ObjectName.accepted(call.key());
        Bucket bucket = with.buckets().prepared(call.call(), call.bucket());
        String mimetype = ObjectHeaders.mimetype(call::header);
        MimeType.check(mimetype, bucket.types());
        ObjectNode metadata = ObjectHeaders.more(call::header)
                .put("mimetype", mimetype)
                .put("cacheControl", ObjectHeaders.cacheControl(call::header));
        String userMetadata = ObjectHeaders.userMetadata(call.call().request().headers())
                .map(ObjectNode::toString)
                .orElse("");
        with.quota().require(call.call(), 0);
        ContentKey key = ContentKey.fresh(call.call().tenant().projectId());
        String owner = call.call().user().orElse("");
        var entry = new Entry(bucket.id(), name, owner, key.version().toString(), metadata.toString(), userMetadata);
        Refusals.refusing(() -> with.objects().tryWrite(call.call(), entry, true));
        String id = with.store().open(key);
        boolean begun = false;
        try {
            var beginning = new Beginning(
                    id, bucket.id(), name, key.version().toString(), owner, metadata.toString(), userMetadata);
            begun = with.rows().create(call.call(), beginning, BOUNDS);
        } finally {
            if (!begun) {
                with.store().numbered(key, id).abandon();
            }
        }
        if (!begun) {
            throw S3Error.tooManyUploads();
        }
        call.answer(XmlText.document(
                "InitiateMultipartUploadResult",
                xml -> xml.text("Bucket", call.bucket()).text("Key", call.key()).text("UploadId", id)));
    }

    /** CompleteMultipartUpload. */
    void complete(S3Call call) {
        boolean replace = Preconditions.mayReplace(call);
        // Checksums in the headers are those of the object, not of this document.
        var payload = svc.storage.s3.signature.Payload.ofDocument(
                call.verified(), call.call().request().headers(), call.body());
        long length = Math.min(payload.length().orElseThrow(S3Error::missingLength), S3Call.MAX_DOCUMENT);
        try (ByteBudget.Permit permit = Waiting.forMemory(
                with.memory().apply(call.call().tenant().ref()), Math.max(1, DOCUMENT_COPIES * length))) {
            List<NumberedPart> wanted = parts(call.document(payload, "CompleteMultipartUpload"));
            ObjectRow row = complete(call, wanted, replace);
            call.answer(XmlText.document(
                    "CompleteMultipartUploadResult",
                    xml -> xml.text(
                                    "Location",
                                    call.call().tenant().storageUrl() + "/s3/" + call.bucket() + "/" + row.name())
                            .text("Bucket", call.bucket())
                            .text("Key", row.name())
                            .text("ETag", row.etag())));
        }
    }

    private static List<NumberedPart> parts(XmlElement document) {
        List<NumberedPart> parts = new ArrayList<>();
        int before = 0;
        for (XmlElement part : document.children("Part")) {
            String number = part.child("PartNumber").orElse("");
            String etag = part.child("ETag").orElse("");
            if (!NUMBER.matcher(number).matches()
                    || etag.isEmpty()
                    || Integer.parseInt(number) < 1
                    || Integer.parseInt(number) > MultipartUploads.MAX_PARTS) {
                throw S3Error.malformedXml("Each Part has a PartNumber from 1 to 10000 and an ETag.");
            }
            if (Integer.parseInt(number) <= before) {
                throw S3Error.invalidPartOrder();
            }
            before = Integer.parseInt(number);
            parts.add(new NumberedPart(before, MultipartTag.bare(etag)));
        }
        if (parts.isEmpty()) {
            throw S3Error.malformedXml("You must specify at least one part.");
        }
        return parts;
    }

    private ObjectRow complete(S3Call call, List<NumberedPart> wanted, boolean replace) {
        Upload upload;
        try {
            upload = uploads.require(call);
        } catch (S3Error e) {
            // A client that lost the answer asks again.
            return with.objects()
                    .find(call.call(), call.bucket(), ObjectName.normal(call.key()))
                    .filter(row ->
                            MultipartTag.of(wanted).filter(row.etag()::equals).isPresent())
                    .orElseThrow(() -> e);
        }
        Optional<ObjectRow> written = written(call, upload);
        if (written.isPresent()) {
            with.rows().remove(call.call(), upload.id());
            return written.get();
        }
        Bucket bucket = with.buckets().look(call.call(), call.bucket());
        long size = size(call, upload, wanted);
        if (size > bucket.limit(call.call().tenant())) {
            throw StorageError.tooLarge();
        }
        MimeType.check(upload.metadata().path("mimetype").asText(), bucket.types());
        try {
            uploads.requireRight(call, upload, size, replace);
        } catch (StorageError e) {
            throw e.code().equals("KeyAlreadyExists") ? S3Error.preconditionFailed() : e;
        }
        ContentKey key = upload.content(call.call().tenant()).orElseThrow(S3Error::noSuchUpload);
        Stored stored =
                with.store().numbered(key, upload.id()).complete(wanted, size).orElseThrow(S3Error::noSuchUpload);
        ObjectRow row = write(call, upload, stored, replace);
        with.rows().remove(call.call(), upload.id());
        with.quota().count(call.call(), size - upload.size());
        return row;
    }

    /** The object, when an earlier request has written it and failed behind that. */
    private Optional<ObjectRow> written(S3Call call, Upload upload) {
        return with.objects()
                .findForAll(call.call(), call.bucket(), ObjectName.normal(call.key()))
                .filter(row -> row.version().equals(upload.version()));
    }

    /** Of all parts together; each must be as it was stored. */
    private long size(S3Call call, Upload upload, List<NumberedPart> wanted) {
        Map<Integer, Part> known = new HashMap<>();
        with.rows()
                .parts(call.call(), upload.id(), 0, MultipartUploads.MAX_PARTS)
                .forEach(part -> known.put(part.number(), part));
        long size = 0;
        for (int i = 0; i < wanted.size(); i++) {
            NumberedPart part = wanted.get(i);
            Part stored = known.get(part.number());
            if (stored == null || !MultipartTag.bare(stored.etag()).equals(part.etag())) {
                throw S3Error.invalidPart(part.number());
            }
            if (i < wanted.size() - 1 && stored.size() < MIN_PART) {
                throw S3Error.entityTooSmall();
            }
            size += stored.size();
        }
        return size;
    }

    /** From here on a row may name the bytes: only a refusal for ever says that none does, and that none will. */
    private ObjectRow write(S3Call call, Upload upload, Stored stored, boolean replace) {
        ObjectNode metadata = StoredMetadata.of(
                stored,
                upload.metadata().path("mimetype").asText(),
                upload.metadata().path("cacheControl").asText());
        if (upload.metadata() instanceof ObjectNode more) {
            metadata.setAll(more);
        }
        Entry entry = MultipartUploads.entry(call, upload, metadata);
        try {
            Written written = Refusals.refusing(() -> with.objects().write(call.call(), entry, replace));
            // Not of the same request, sent twice at the same time.
            written.replaced()
                    .filter(old -> !old.equals(stored.key()))
                    .ifPresent(old -> with.disposal().dispose(List.of(old)));
            return written.row();
        } catch (StorageError | PoolExhausted | SqlError e) {
            if (Refusals.isFinal(e) && written(call, upload).isEmpty()) {
                with.rows().remove(call.call(), upload.id());
                with.disposal().dispose(List.of(stored.key()));
            }
            throw e;
        }
    }

    /** AbortMultipartUpload. */
    void abort(S3Call call) {
        Upload upload = uploads.require(call);
        Optional<ContentKey> key = upload.content(call.call().tenant());
        key.ifPresent(content -> with.store().numbered(content, upload.id()).abandon());
        with.rows().remove(call.call(), upload.id());
        with.quota().count(call.call(), -upload.size());
        call.answer(204);
    }
}

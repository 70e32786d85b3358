package svc.storage.s3.command;

import com.google.re2j.Pattern;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import svc.platform.memory.ByteBudget;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.http.StorageError;
import svc.storage.object.ByteRange;
import svc.storage.object.Waiting;
import svc.storage.rows.Bucket;
import svc.storage.rows.MultipartRows.Upload;
import svc.storage.rows.ObjectRow;
import svc.storage.s3.signature.Payload;
import svc.storage.s3.xml.S3Error;
import svc.storage.s3.xml.XmlText;

/**
 * Stores parts of uploads. A part of usual size is held in memory until it is verified, and then sent to the store; a larger
 * one is stored under a key of its own first, piece by piece, so that no client holds a connection of the store, and copied
 * there into the upload.
 */
public final class PartCommands {
    /** The parts of AWS's own clients. */
    private static final int HELD_WHOLE = 8 << 20;

    private static final long MAX_PART = 5L << 30;

    private static final Pattern RANGE = Pattern.compile("bytes=\\d{1,18}-\\d{1,18}");

    private final MultipartServices with;
    private final MultipartUploads uploads;

    public PartCommands(MultipartServices with) {
        this.with = with;
        this.uploads = new MultipartUploads(with.rows(), with.objects());
    }

    /** UploadPart. */
    void upload(S3Call call) {
        int number = number(call);
        Payload payload = call.payload();
        long length = payload.length().orElseThrow(S3Error::missingLength);
        if (length > MAX_PART) {
            throw StorageError.tooLarge();
        }
        Upload upload = admitted(call, number, length);
        ContentKey key = upload.content(call.call().tenant()).orElseThrow(S3Error::noSuchUpload);
        int held = (int) Math.max(1, length <= HELD_WHOLE ? length : ContentStore.PART_BYTES);
        try (ByteBudget.Permit permit =
                Waiting.forMemory(with.memory().apply(call.call().tenant().ref()), held)) {
            call.body().begin();
            var content = with.store().numbered(key, upload.id());
            String etag = length <= HELD_WHOLE
                    ? whole(content, number, payload, (int) length)
                    : staged(call, content, number, payload, length);
            note(call, upload, number, length, etag);
            call.response().putHeader("etag", etag);
            call.answer(200);
        } catch (IOException e) {
            throw S3Error.incompleteBody();
        }
    }

    private static int number(S3Call call) {
        int number = call.number("partNumber", 0);
        if (number < 1 || number > MultipartUploads.MAX_PARTS) {
            throw S3Error.invalidArgument("Part number must be an integer between 1 and 10000, inclusive");
        }
        return number;
    }

    /** The upload, if so many bytes more may come of this caller. */
    private Upload admitted(S3Call call, int number, long length) {
        Upload upload = uploads.require(call, number);
        Bucket bucket = with.buckets().look(call.call(), call.bucket());
        long limit = bucket.limit(call.call().tenant());
        if (length > limit || upload.size() - upload.replaced() + length > limit) {
            throw StorageError.tooLarge();
        }
        with.quota().require(call.call(), length - upload.replaced());
        if (!call.call().isService()) {
            uploads.requireRight(call, upload, length, true);
        }
        return upload;
    }

    private static String whole(ContentStore.NumberedUpload content, int number, Payload payload, int length)
            throws IOException {
        byte[] bytes = new byte[length];
        int count = payload.readNBytes(bytes, 0, length);
        if (count < length || payload.read() >= 0) {
            throw S3Error.incompleteBody();
        }
        return content.put(number, bytes, length).orElseThrow(S3Error::noSuchUpload);
    }

    private String staged(S3Call call, ContentStore.NumberedUpload content, int number, Payload payload, long length)
            throws IOException {
        ContentKey stage = ContentKey.fresh(call.call().tenant().projectId());
        ContentStore.Parts pieces = with.store().begin(stage);
        boolean complete = false;
        try {
            byte[] buffer = new byte[ContentStore.PART_BYTES];
            int count = payload.readNBytes(buffer, 0, buffer.length);
            while (count > 0) {
                pieces.add(buffer, count);
                count = payload.readNBytes(buffer, 0, buffer.length);
            }
            pieces.complete();
            complete = true;
        } finally {
            if (!complete) {
                pieces.abandon();
            }
        }
        try {
            return content.copy(number, stage, 0, length - 1).orElseThrow(S3Error::noSuchUpload);
        } finally {
            with.disposal().dispose(List.of(stage));
        }
    }

    private void note(S3Call call, Upload upload, int number, long length, String etag) {
        if (!with.rows().add(call.call(), upload.id(), number, length, etag)) {
            throw S3Error.noSuchUpload();
        }
        with.quota().count(call.call(), length - upload.replaced());
    }

    /** UploadPartCopy. */
    void copy(S3Call call) {
        int number = number(call);
        ObjectRow source = CopySource.of(call).row(call, with.objects(), with.buckets());
        Optional<ByteRange> range = call.header("x-amz-copy-source-range").map(header -> range(header, source.size()));
        long first = range.map(ByteRange::first).orElse(0L);
        long length = range.map(ByteRange::length).orElse(source.size());
        if (length > MAX_PART) {
            throw StorageError.tooLarge();
        }
        Upload upload = admitted(call, number, length);
        ContentKey key = upload.content(call.call().tenant()).orElseThrow(S3Error::noSuchUpload);
        ContentKey from = source.key(call.call().tenant()).orElseThrow(StorageError::noSuchObject);
        var content = with.store().numbered(key, upload.id());
        String etag = (length == 0
                        ? content.put(number, new byte[0], 0)
                        : content.copy(number, from, first, first + length - 1))
                .orElseThrow(S3Error::noSuchUpload);
        note(call, upload, number, length, etag);
        call.answer(XmlText.document(
                "CopyPartResult",
                xml -> xml.text("ETag", etag)
                        .text(
                                "LastModified",
                                Instant.now().truncatedTo(ChronoUnit.MILLIS).toString())));
    }

    /** S3 wants both ends, within the source. */
    private static ByteRange range(String header, long size) {
        if (!RANGE.matcher(header).matches()) {
            throw S3Error.invalidArgument("The x-amz-copy-source-range value must be of the form bytes=first-last");
        }
        return ByteRange.parse(header, size)
                .filter(range -> header.endsWith("-" + range.last()))
                .orElseThrow(() ->
                        S3Error.invalidArgument("Range specified is not valid for source object of size: " + size));
    }
}

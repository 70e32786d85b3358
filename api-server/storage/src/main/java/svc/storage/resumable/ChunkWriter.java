package svc.storage.resumable;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jboss.logging.Logger;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.content.PartNumbers;
import svc.storage.content.Stored;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.object.Refusals;
import svc.storage.resumable.ResumableUpload.State;
import svc.storage.resumable.ResumableUpload.Tail;

/**
 * Appends the bytes of one request to an upload. Whole parts are stored and recorded as they fill up; what is left at the
 * end, or when the client leaves, becomes a tail. S3 has the bytes before the row counts them, so a stop in between loses
 * what the client sends again. With a checksum nothing is recorded before it was found right.
 */
final class ChunkWriter {
    private static final Logger LOG = Logger.getLogger(ChunkWriter.class);

    static final int PART = ContentStore.PART_BYTES;

    /** Bytes that are read at once, beside the buffer. */
    static final int SLICE = 1 << 20;

    /** Tails are read again for each of so many, however small the client's chunks are. */
    private static final int MAX_TAILS = 32;

    private final UploadStores stores;
    private final StorageCall call;
    private final UUID writer;
    private final Optional<Checksum> checksum;
    private final OptionalLong length;
    private final long limit;
    private final long start;
    private final boolean merging;
    private final byte[] buffer;
    private ResumableUpload upload;
    private String multipart;
    private PartNumbers parts;
    private int filled;
    private long received;

    /**
     * @param length of the whole upload; empty while it is unknown
     * @param limit of the bucket, in bytes
     * @param announced bytes of the body; the greatest number when they are unknown
     */
    ChunkWriter(
            UploadStores stores,
            StorageCall call,
            ResumableUpload upload,
            UUID writer,
            OptionalLong length,
            long limit,
            long announced,
            Optional<Checksum> checksum) {
        this.stores = stores;
        this.call = call;
        this.upload = upload;
        this.writer = writer;
        this.length = length;
        this.limit = length.orElse(limit);
        this.checksum = checksum;
        this.start = upload.offset();
        this.merging = merges(upload, length, announced);
        this.buffer = new byte[capacity(upload, length, announced)];
        this.multipart = upload.multipart();
        this.parts = upload.parts().only(upload.wholeParts());
    }

    /** Bytes of memory that a request takes: never more than a part. */
    static int capacity(ResumableUpload upload, OptionalLong length, long announced) {
        long before = merges(upload, length, announced) ? upload.tailBytes() : 0;
        return (int) Math.max(1, Math.min(PART, announced >= PART ? PART : before + announced));
    }

    /** Whether the tails become part of what is stored now, rather than remain beside it. */
    private static boolean merges(ResumableUpload upload, OptionalLong length, long announced) {
        boolean last = length.isPresent() && announced >= length.getAsLong() - upload.offset();
        return last || announced >= PART - upload.tailBytes() || upload.tails().size() >= MAX_TAILS;
    }

    /**
     * Reads the body to its end.
     *
     * @return the upload as it is then
     * @throws StorageError for a body that is too long, slow or cut off; what came of it before may be recorded
     */
    ResumableUpload write(InputStream body) {
        PartNumbers before = parts;
        try {
            return written(body);
        } catch (StorageError e) {
            if (checksum.isPresent() && parts.last() > before.last()) {
                release(before);
            }
            throw e;
        }
    }

    /** Numbers of parts that were found wrong can be taken again: nothing more is stored under them. */
    private void release(PartNumbers before) {
        try {
            reserve(before);
        } catch (RuntimeException e) {
            LOG.debugf(e, "%s: numbers of parts are skipped", call.tenant().ref());
        }
    }

    private ResumableUpload written(InputStream body) {
        if (merging) {
            readTails();
        }
        while (fill(body)) {
            int next = read(body);
            if (next < 0) {
                break;
            }
            if (buffer.length < PART) {
                throw StorageError.invalidRequest("The body is longer than its Content-Length");
            }
            sendPart();
            buffer[0] = (byte) next;
            count(0, 1);
        }
        checksum.ifPresent(Checksum::verify);
        if (length.isPresent() && end() == length.getAsLong()) {
            return finish();
        }
        settle();
        return upload;
    }

    private long end() {
        return start + received;
    }

    private void readTails() {
        for (Tail tail : upload.tails()) {
            for (int from = 0; from < tail.size(); from += SLICE) {
                byte[] bytes = stores.contents()
                        .read(key(tail), from, Math.min(SLICE, tail.size() - from))
                        .orElseThrow(TusError::gone);
                System.arraycopy(bytes, 0, buffer, filled, bytes.length);
                filled += bytes.length;
            }
        }
    }

    private ContentKey key(Tail tail) {
        return new ContentKey(call.tenant().projectId(), tail.version());
    }

    /** False at the end of the body. */
    private boolean fill(InputStream body) {
        while (filled < buffer.length) {
            int count = read(body, buffer, filled, buffer.length - filled);
            if (count < 0) {
                return false;
            }
            count(filled, count);
        }
        return true;
    }

    private int read(InputStream body) {
        byte[] one = new byte[1];
        return read(body, one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    private int read(InputStream body, byte[] target, int offset, int most) {
        try {
            return body.read(target, offset, most);
        } catch (StorageError e) {
            // The client is too slow, or has left. What it has sent is not lost, unless it cannot be verified.
            if (checksum.isEmpty() && !(length.isPresent() && end() == length.getAsLong())) {
                settle();
            }
            throw e;
        } catch (IOException e) {
            throw StorageError.invalidRequest("The body cannot be read: " + e.getMessage());
        }
    }

    private void count(int offset, int count) {
        received += count;
        filled = offset + count;
        if (end() > limit) {
            throw TusError.tooLarge();
        }
        checksum.ifPresent(sum -> sum.update(buffer, offset, count));
    }

    private void sendPart() {
        stores.quota().require(call, Math.min(filled, received));
        storePart();
        if (checksum.isEmpty()) {
            record(end(), List.of(), State.OPEN);
        }
    }

    private void storePart() {
        ContentKey key = upload.content(call.tenant());
        if (multipart.isEmpty()) {
            multipart = stores.contents().resumable().begin(key);
        }
        if (parts.last() == PartNumbers.MAX) {
            stores.ended().end(call, upload.id());
            throw TusError.gone();
        }
        // Hazard: a later request may write meanwhile, and S3 keeps of a number what comes last.
        reserve(parts.next());
        if (!stores.contents().resumable().put(key, multipart, parts.last(), buffer, filled)) {
            stores.ended().end(call, upload.id());
            throw TusError.gone();
        }
        filled = 0;
    }

    /** Takes numbers of parts, for which nothing else is recorded yet. */
    private void reserve(PartNumbers numbers) {
        var progress = new Progress(upload.offset(), upload.length(), multipart, numbers, upload.tails(), State.OPEN);
        upload = stores.rows().advance(call, upload.id(), writer, progress).orElseThrow(TusError::locked);
        parts = numbers;
    }

    /** Records what has come and is no whole part. */
    private void settle() {
        if (filled == PART) {
            storePart();
        }
        if (filled == 0 || received == 0) {
            boolean inParts = merging && filled == 0;
            record(end(), inParts ? List.of() : upload.tails(), State.OPEN);
            return;
        }
        stores.quota().require(call, Math.min(filled, received));
        ContentKey key = ContentKey.fresh(call.tenant().projectId());
        stores.contents().put(key, buffer, filled);
        List<Tail> tails = merging ? new ArrayList<>() : new ArrayList<>(upload.tails());
        tails.add(new Tail(key.version(), filled));
        try {
            record(end(), tails, State.OPEN);
        } catch (StorageError superseded) {
            stores.disposal().dispose(List.of(key));
            throw superseded;
        }
    }

    private ResumableUpload finish() {
        stores.quota().require(call, Math.min(filled, received));
        if (parts.last() > 0) {
            if (filled > 0) {
                storePart();
            }
            record(end(), List.of(), State.COMPLETING);
            return stores.completion().ofParts(call, upload, writer, List.of());
        }
        Stored stored = stores.contents().put(ContentKey.fresh(call.tenant().projectId()), buffer, filled);
        ResumableUpload complete;
        try {
            complete = stores.completion().of(call, upload, writer, stored, List.of());
        } catch (StorageError superseded) {
            stores.disposal().dispose(List.of(stored.key()));
            throw superseded;
        } catch (SqlError | PoolExhausted e) {
            // The client sends them again.
            if (Refusals.isRefusal(e)) {
                stores.disposal().dispose(List.of(stored.key()));
            }
            throw e;
        }
        stores.quota().count(call, end() - upload.offset());
        return complete;
    }

    private void record(long offset, List<Tail> tails, State state) {
        List<ContentKey> unnamed = new ArrayList<>();
        upload.tails().stream().filter(tail -> !tails.contains(tail)).forEach(tail -> unnamed.add(key(tail)));
        long more = offset - upload.offset();
        upload = stores.rows()
                .advance(call, upload.id(), writer, new Progress(offset, length, multipart, parts, tails, state))
                .orElseThrow(TusError::locked);
        stores.quota().count(call, more);
        stores.disposal().dispose(unnamed);
    }
}

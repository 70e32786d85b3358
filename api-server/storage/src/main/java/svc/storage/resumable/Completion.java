package svc.storage.resumable;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.content.Disposal;
import svc.storage.content.Stored;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.object.Refusals;
import svc.storage.object.StoredMetadata;
import svc.storage.resumable.ResumableRows.Finished;
import svc.storage.resumable.ResumableRows.NewFile;
import svc.storage.resumable.ResumableUpload.State;
import svc.storage.resumable.ResumableUpload.Tail;

/**
 * Makes an upload whose bytes are there a file: S3 puts the parts together, then one statement writes the file's row and
 * ends the upload. Wherever that stops, the next request of the client finishes it. Where the row is refused for ever, the
 * upload is ended: its client must not hear that it is complete.
 */
final class Completion {
    /** How long clients that missed the answer still hear that their upload is complete. */
    private static final Duration REMEMBERED = Duration.ofHours(1);

    private final ResumableRows rows;
    private final ContentStore store;
    private final Disposal disposal;
    private final EndedUploads ended;
    private final Clock clock;

    Completion(ResumableRows rows, ContentStore store, Disposal disposal, EndedUploads ended, Clock clock) {
        this.rows = rows;
        this.store = store;
        this.disposal = disposal;
        this.ended = ended;
        this.clock = clock;
    }

    /** Of an upload in state {@code completing}. */
    ResumableUpload ofParts(StorageCall call, ResumableUpload upload, UUID writer, List<UUID> partials) {
        ContentKey key = upload.content(call.tenant());
        Optional<Stored> stored = store.resumable().complete(key, upload.multipart(), upload.parts(), upload.offset());
        if (stored.isEmpty()) {
            end(call, upload);
            throw TusError.gone();
        }
        ResumableUpload complete = of(call, upload, writer, stored.get(), partials);
        // Of an attempt that ended between two steps.
        disposal.abandon(key);
        return complete;
    }

    /** Of bytes that are stored in one piece. */
    ResumableUpload of(StorageCall call, ResumableUpload upload, UUID writer, Stored stored, List<UUID> partials) {
        ResumableUpload complete = upload.partial()
                ? rows.store(call, upload.id(), writer, stored.key(), stored.size())
                        .orElseThrow(TusError::locked)
                : file(call, upload, writer, stored, partials);
        List<ContentKey> tails = new ArrayList<>();
        for (Tail tail : upload.tails()) {
            tails.add(new ContentKey(call.tenant().projectId(), tail.version()));
        }
        disposal.dispose(tails);
        return complete;
    }

    private ResumableUpload file(
            StorageCall call, ResumableUpload upload, UUID writer, Stored stored, List<UUID> partials) {
        String metadata = StoredMetadata.of(stored, upload.mimetype(), upload.cacheControl())
                .toString();
        var file = new NewFile(
                stored.key(), stored.size(), metadata, partials, clock.instant().plus(REMEMBERED));
        Finished finished = written(call, upload, writer, file).orElseThrow(TusError::locked);
        if (!finished.written()) {
            disposal.dispose(List.of(stored.key()));
            throw StorageError.database("A trigger of the project has prevented the file");
        }
        disposal.dispose(finished.replaced());
        return finished.upload();
    }

    private Optional<Finished> written(StorageCall call, ResumableUpload upload, UUID writer, NewFile file) {
        try {
            return Refusals.refusing(() -> rows.finish(call, upload, writer, file));
        } catch (StorageError | SqlError e) {
            if (Refusals.isFinal(e)) {
                disposal.dispose(List.of(file.key()));
                end(call, upload);
            }
            throw e;
        }
    }

    /** What fails here is swept. */
    private void end(StorageCall call, ResumableUpload upload) {
        try {
            ended.end(call, upload.id());
        } catch (SqlError | PoolExhausted e) {
            // Expires.
        }
    }

    /** Finishes what an earlier request has begun to finish. */
    ResumableUpload resumed(StorageCall call, ResumableUpload upload, UUID writer) {
        return upload.state() == State.COMPLETING ? ofParts(call, upload, writer, partialsOf(upload)) : upload;
    }

    private static List<UUID> partialsOf(ResumableUpload upload) {
        return upload.isFinal() ? TusHeaders.partials(upload.concat()) : List.of();
    }
}

package svc.storage.resumable;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import svc.platform.memory.ByteBudget;
import svc.storage.body.BodyReader;
import svc.storage.http.StorageCall;
import svc.storage.object.Uploads;
import svc.storage.object.Waiting;
import svc.storage.resumable.ResumableUpload.State;
import svc.storage.rows.Bucket;

/** Takes the bytes of a request for an upload, within the project's memory and total size. */
final class Appending {
    /** As Supabase's. Not longer than the sweeper lets uploads in parts live. */
    static final Duration EXPIRY = Duration.ofHours(24);

    private final UploadStores stores;
    private final Function<String, ByteBudget.Account> memory;
    private final Clock clock;

    Appending(UploadStores stores, Function<String, ByteBudget.Account> memory, Clock clock) {
        this.stores = stores;
        this.memory = memory;
        this.clock = clock;
    }

    /** Claims an upload for a request that sends bytes. */
    ResumableUpload begun(StorageCall call, UUID id, String caller, UUID writer) {
        return stores.rows()
                .begin(call, id, caller, writer, clock.instant(), EXPIRY)
                .orElseThrow(TusError::unknown);
    }

    ResumableUpload requireAlive(ResumableUpload upload) {
        boolean over = upload.state() != State.COMPLETE && !clock.instant().isBefore(upload.expires());
        if (upload.state() == State.GONE || over) {
            throw TusError.gone();
        }
        return upload;
    }

    /**
     * Reads the body, if it has bytes of the upload, and completes an upload that has all.
     *
     * @param upload that {@code writer} has claimed
     * @param length of the whole; empty while it is unknown
     */
    ResumableUpload append(
            StorageCall call,
            BodyReader body,
            ResumableUpload upload,
            UUID writer,
            OptionalLong length,
            Bucket bucket,
            Optional<Checksum> checksum) {
        long announced = TusHeaders.hasBytes(call) ? Uploads.announced(call) : 0;
        long limit = bucket.limit(call.tenant());
        long room = length.orElse(limit) - upload.offset();
        if (announced != Long.MAX_VALUE && announced > room) {
            throw TusError.tooLarge();
        }
        stores.quota().require(call, announced == Long.MAX_VALUE ? 0 : announced);
        int capacity = ChunkWriter.capacity(upload, length, announced);
        try (ByteBudget.Permit permit =
                Waiting.forMemory(memory.apply(call.tenant().ref()), capacity + ChunkWriter.SLICE)) {
            body.begin();
            return new ChunkWriter(stores, call, upload, writer, length, limit, announced, checksum).write(body);
        }
    }
}

package svc.storage.object;

import java.time.Duration;
import svc.platform.memory.ByteBudget;
import svc.platform.memory.ByteBudget.Awaited;
import svc.storage.http.StorageError;

/** Waits for the project's share of memory: a client is held back for a while before it is refused. */
public final class Waiting {
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private Waiting() {}

    /** @throws StorageError when the memory is not granted in time */
    public static ByteBudget.Permit forMemory(ByteBudget.Account account, long bytes) {
        try {
            return switch (account.await(bytes, MAX_WAIT)) {
                case Awaited.Granted granted -> granted.permit();
                case Awaited.Refused refused -> throw StorageError.slowDown();
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StorageError.slowDown();
        }
    }
}

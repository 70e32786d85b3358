package svc.storage.object;

import java.time.Duration;
import svc.platform.memory.ByteBudget;
import svc.storage.http.StorageError;

/** Waits for the project's share of memory: a client is held back for a while before it is refused. */
public final class Waiting {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration NEXT_TRY = Duration.ofMillis(20);

    private Waiting() {}

    /** @throws StorageError when the memory is not granted in time */
    public static ByteBudget.Permit forMemory(ByteBudget.Account account, long bytes) {
        ByteBudget.Permit permit = account.open();
        long begun = System.nanoTime();
        try {
            while (true) {
                switch (permit.grow(bytes)) {
                    case GRANTED -> {
                        return permit;
                    }
                    case TOO_LARGE -> throw StorageError.slowDown();
                    case BUSY -> {
                        if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                            throw StorageError.slowDown();
                        }
                        Thread.sleep(NEXT_TRY);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StorageError.slowDown();
        }
    }
}

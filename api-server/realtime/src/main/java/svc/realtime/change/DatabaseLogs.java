package svc.realtime.change;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress;

/**
 * Which databases' logs are read. A log that nothing follows costs nothing: its slot is dropped some time later. {@link
 * ChangeFeed#subscribe} follows by itself; channels without table changes follow here, so that messages of the database
 * reach {@link DatabaseMessages}.
 */
public interface DatabaseLogs {
    /** Has the log of the project's database read until the result is closed. Does not block, and never fails. */
    Following follow(Tenant tenant);

    /**
     * Completes when messages that the project's database sends from then on arrive: its log is read, and has its table of
     * messages. The log must be followed meanwhile. Fails with a message for clients.
     */
    CompletableFuture<Void> ready(Tenant tenant);

    /** The databases whose logs this process reads now; other processes may read others. */
    Set<DatabaseAddress> read();

    /** What the server keeps of the project's log for its reader, in bytes, as far as this process knows. */
    long lagBytes(Tenant tenant);

    /** Ends by {@link #close()}, which may be called more than once. */
    interface Following extends AutoCloseable {
        @Override
        void close();
    }
}

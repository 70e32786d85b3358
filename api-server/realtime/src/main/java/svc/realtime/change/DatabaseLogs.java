package svc.realtime.change;

import svc.platform.tenancy.Tenant;

/**
 * Which databases' logs are read. A log that nothing follows costs nothing: its slot is dropped some time later. {@link
 * ChangeFeed#subscribe} follows by itself; channels without table changes follow here, so that messages of the database
 * reach {@link DatabaseMessages}.
 */
public interface DatabaseLogs {
    /** Has the log of the project's database read until the result is closed. Does not block, and never fails. */
    Following follow(Tenant tenant);

    /** Ends by {@link #close()}, which may be called more than once. */
    interface Following extends AutoCloseable {
        @Override
        void close();
    }
}

package svc.realtime.channel;

import java.util.Optional;
import svc.platform.memory.ByteBudget;

/**
 * The heap that the joins of one socket take: configurations, bindings and tokens live as long as their channel. It is the
 * project's memory, and bounded for each socket, so that no stranger alone takes all of it. Lives on the socket's event loop.
 */
final class JoinMemory {
    /** Of all joins of one socket, in bytes. */
    static final long MAX_BYTES = 4L << 20;

    private final ByteBudget.Account account;
    private long held;

    JoinMemory(ByteBudget.Account account) {
        this.account = account;
    }

    /** What became of a demand. */
    sealed interface Outcome {
        record Granted(Share share) implements Outcome {}

        /** @param reason for the client */
        record Refused(String reason) implements Outcome {}
    }

    Outcome take(long bytes) {
        if (held + bytes > MAX_BYTES) {
            return new Outcome.Refused("ConnectionMemoryLimitReached: The channels of this connection take more than "
                    + (MAX_BYTES >> 20) + " MiB, leave some or join with fewer postgres_changes");
        }
        ByteBudget.Permit permit = account.open();
        if (permit.grow(bytes) != ByteBudget.Verdict.GRANTED) {
            permit.close();
            return new Outcome.Refused(
                    "ProjectMemoryLimitReached: The memory of the project is in use, join again later");
        }
        held += bytes;
        return new Outcome.Granted(new Share(permit, bytes));
    }

    /** The memory of one channel. Closing returns it, once. */
    final class Share {
        private final long bytes;
        private Optional<ByteBudget.Permit> permit;

        private Share(ByteBudget.Permit permit, long bytes) {
            this.permit = Optional.of(permit);
            this.bytes = bytes;
        }

        void close() {
            permit.ifPresent(open -> {
                held -= bytes;
                open.close();
            });
            permit = Optional.empty();
        }
    }
}

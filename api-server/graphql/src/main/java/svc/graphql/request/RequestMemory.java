package svc.graphql.request;

import svc.platform.memory.ByteBudget;

/** The heap that an operation takes beside its body, which the gateway counts: from the project's share until closed. */
public final class RequestMemory implements AutoCloseable {
    /** Every operation takes some. */
    private static final long FREE = 64 * 1024;

    private final String ref;
    private final ByteBudget.Permit permit;
    private long free = FREE;

    public RequestMemory(String ref, ByteBudget.Account account) {
        this.ref = ref;
        this.permit = account.open();
    }

    /** The project that it is counted for. */
    public String ref() {
        return ref;
    }

    /**
     * Holds so many bytes more.
     *
     * @throws InvalidRequest 503 if other requests of the project hold its share, 413 if one request never gets so many
     */
    public void hold(long bytes) {
        switch (permit.grow(bytes - take(bytes))) {
            case GRANTED -> {}
            case BUSY ->
                throw new InvalidRequest(
                        503,
                        "The project's requests and answers use all memory that they may have. Retry the request.");
            case TOO_LARGE ->
                throw new InvalidRequest(
                        413, "The operation takes more memory than one request may have. Send it in several requests.");
        }
    }

    /** Of the first bytes, which are not counted. */
    private synchronized long take(long bytes) {
        long taken = Math.min(free, bytes);
        free -= taken;
        return taken;
    }

    @Override
    public void close() {
        permit.close();
    }
}

package svc.graphql.request;

/** A request that is no GraphQL request, or is refused before it is run. Answered with its status whatever the media type. */
public final class InvalidRequest extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    public InvalidRequest(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    public int status() {
        return status;
    }
}

package svc.graphql.error;

/** An error of the document, before any of its fields is planned: the answer has no {@code data}, as in pg_graphql. */
public final class RequestError extends GraphqlError {
    private static final long serialVersionUID = 1;

    public RequestError(String message) {
        super(message);
    }
}

package svc.graphql.error;

/** An error of a request that its answer shows; the message is pg_graphql's where it has one. */
public class GraphqlError extends RuntimeException {
    private static final long serialVersionUID = 1;

    public GraphqlError(String message) {
        super(message, null, false, false);
    }
}

package svc.embedded.kubernetes.schema;

/** A CustomResourceDefinition whose schema or rules cannot be compiled. An API server would refuse it. */
public final class InvalidSchemaException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidSchemaException(String message, Throwable cause) {
        super(message, cause);
    }
}

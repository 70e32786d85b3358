package svc.sqlgate.script;

/** Two replacements overlap, so the result is undefined. */
public final class OverlappingEditsException extends Exception {
    private static final long serialVersionUID = 1L;

    OverlappingEditsException(String message) {
        super(message);
    }
}

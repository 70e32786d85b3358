package svc.sqlgate.script;

/** Two replacements of one script want the same part of it, so nobody can say what it would become. */
public final class OverlappingEditsException extends Exception {
    private static final long serialVersionUID = 1L;

    OverlappingEditsException(String message) {
        super(message);
    }
}

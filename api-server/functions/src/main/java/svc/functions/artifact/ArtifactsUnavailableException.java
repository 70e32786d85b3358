package svc.functions.artifact;

/** Archives cannot be read or kept now. The message says why, and may be shown to a caller of the Management API. */
public final class ArtifactsUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean lasting;

    private ArtifactsUnavailableException(String message, boolean lasting, Throwable cause) {
        super(message, cause);
        this.lasting = lasting;
    }

    static ArtifactsUnavailableException unset(String setting) {
        return new ArtifactsUnavailableException(
                "This platform keeps no functions: its setting " + setting + " is missing.", true, null);
    }

    static ArtifactsUnavailableException invalid(IllegalArgumentException cause) {
        return new ArtifactsUnavailableException(
                "This platform keeps no functions: one of its settings svc.api.s3.* cannot be used.", true, cause);
    }

    static ArtifactsUnavailableException failed(Throwable cause) {
        return new ArtifactsUnavailableException("The store of functions does not answer as it should.", false, cause);
    }

    /** Whether trying again is of no use before somebody has changed the platform's settings. */
    public boolean isLasting() {
        return lasting;
    }
}

package svc.functions.artifact;

/** The archive store is unavailable. The message may be shown to callers of the Management API. */
public final class ArtifactsUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean lasting;

    private ArtifactsUnavailableException(String message, boolean lasting, Throwable cause) {
        super(message, cause);
        this.lasting = lasting;
    }

    static ArtifactsUnavailableException unset(String setting) {
        return new ArtifactsUnavailableException(
                "The function store is not configured: the setting " + setting + " is missing.", true, null);
    }

    static ArtifactsUnavailableException invalid(IllegalArgumentException cause) {
        return new ArtifactsUnavailableException(
                "The function store is not configured: a setting svc.api.s3.* is invalid.", true, cause);
    }

    static ArtifactsUnavailableException failed(Throwable cause) {
        return new ArtifactsUnavailableException("The function store failed or is unreachable.", false, cause);
    }

    /** Whether retries are pointless until the platform's settings change. */
    public boolean isLasting() {
        return lasting;
    }
}

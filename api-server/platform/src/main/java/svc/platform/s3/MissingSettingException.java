package svc.platform.s3;

/** The bucket is not configured. */
public final class MissingSettingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String setting;

    MissingSettingException(String setting) {
        super("The setting " + setting + " is missing.");
        this.setting = setting;
    }

    /** The whole name, {@code svc.api.s3.…}. */
    public String setting() {
        return setting;
    }
}

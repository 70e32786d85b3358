package svc.platform.s3;

/** The bucket is not configured. */
public final class MissingSettingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String setting;

    MissingSettingException(String setting) {
        super("The setting " + setting + " is missing.");
        this.setting = setting;
    }

    /** Neither the setting nor the environment says. */
    MissingSettingException(String setting, Throwable environment) {
        super("The setting " + setting + " is missing, and the environment has no credentials.", environment);
        this.setting = setting;
    }

    /** The whole name, {@code svc.api.s3.…}. */
    public String setting() {
        return setting;
    }
}

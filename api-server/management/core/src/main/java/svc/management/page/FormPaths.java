package svc.management.page;

/** The paths to which browsers and clients send forms without a token in the header. */
public final class FormPaths {
    /** The page on which a person enters the value of a secret. */
    public static final String SECRET_ENTRY = "/v1/secret-entry";

    private static final String SIGN_IN = "/v1/oauth/";

    private FormPaths() {}

    public static boolean contains(String path) {
        return path.startsWith(SIGN_IN) || path.equals(SECRET_ENTRY);
    }
}

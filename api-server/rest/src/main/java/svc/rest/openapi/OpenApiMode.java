package svc.rest.openapi;

/** What the root tells; PostgREST's {@code openapi-mode}. */
public enum OpenApiMode {
    /** What the caller's role has some privilege on. */
    FOLLOW_PRIVILEGES,
    /** Everything in the exposed schema. */
    IGNORE_PRIVILEGES,
    /** Nothing: 404 PGRST126. */
    DISABLED;

    /** As a project has set it. */
    static OpenApiMode of(svc.crds.project.service.OpenApiMode setting) {
        return switch (setting) {
            case FOLLOW_PRIVILEGES -> FOLLOW_PRIVILEGES;
            case IGNORE_PRIVILEGES -> IGNORE_PRIVILEGES;
            case DISABLED -> DISABLED;
        };
    }
}

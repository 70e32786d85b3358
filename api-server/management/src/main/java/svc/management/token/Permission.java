package svc.management.token;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import svc.platform.problem.ProblemCode;

/** What a personal access token may be allowed to do. Each is off until somebody turns it on (SPEC 2.2). */
public enum Permission {
    /** Running SQL in the projects of the organisation. */
    DATABASE_QUERY(ProblemCode.PAT_DATABASE_QUERY_FORBIDDEN),
    /** Creating projects, and changing or deleting them. */
    PROJECTS_CREATE(ProblemCode.PAT_PROJECTS_CREATE_FORBIDDEN),
    /** Deploying, listing and deleting edge functions. */
    EDGE_FUNCTIONS(ProblemCode.PAT_EDGE_FUNCTIONS_FORBIDDEN),
    /** Making tokens of the organisation and changing what they may do; whoever has it can have all the others. */
    TOKENS_MANAGE(ProblemCode.PAT_TOKENS_MANAGE_FORBIDDEN),
    /** Making organisations, and with each its first token. */
    ORGANIZATIONS_CREATE(ProblemCode.PAT_ORGANIZATIONS_CREATE_FORBIDDEN);

    private final ProblemCode forbidden;

    Permission(ProblemCode forbidden) {
        this.forbidden = forbidden;
    }

    /** As it stands in JSON and in the database: {@code database_query}, … */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Permission> ofWire(String name) {
        return Arrays.stream(values())
                .filter(permission -> permission.wire().equals(name))
                .findFirst();
    }

    /** The code of the 403 that a token without this permission gets. */
    public ProblemCode forbidden() {
        return forbidden;
    }
}

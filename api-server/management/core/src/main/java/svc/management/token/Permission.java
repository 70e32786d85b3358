package svc.management.token;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import svc.platform.problem.ProblemCode;

/** The permissions of a personal access token, each off by default (SPEC 2.2). */
public enum Permission {
    /**
     * Run SQL in the projects of the organisation, see their service-role keys, and change the settings that decide which
     * tokens act as service_role, or who can sign in as a user.
     */
    DATABASE_QUERY(ProblemCode.PAT_DATABASE_QUERY_FORBIDDEN),
    /** Create, change and delete projects. */
    PROJECTS_CREATE(ProblemCode.PAT_PROJECTS_CREATE_FORBIDDEN),
    /** Deploy, list and delete edge functions, whose environment holds the service-role key (SPEC 2.6). */
    EDGE_FUNCTIONS(ProblemCode.PAT_EDGE_FUNCTIONS_FORBIDDEN),
    /** Create tokens of the organisation and change their permissions; implies all other permissions. */
    TOKENS_MANAGE(ProblemCode.PAT_TOKENS_MANAGE_FORBIDDEN),
    /** Create organisations, each with its first token. */
    ORGANIZATIONS_CREATE(ProblemCode.PAT_ORGANIZATIONS_CREATE_FORBIDDEN);

    private final ProblemCode forbidden;

    Permission(ProblemCode forbidden) {
        this.forbidden = forbidden;
    }

    /** The name in JSON and in the database: {@code database_query}, … */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Permission> ofWire(String name) {
        return Arrays.stream(values())
                .filter(permission -> permission.wire().equals(name))
                .findFirst();
    }

    /** The code of the 403 for a token without this permission. */
    public ProblemCode forbidden() {
        return forbidden;
    }
}

package svc.database.name;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * A schema that a project has beside its main one, by the name that applications write. The functions of {@code
 * shared/schemas.sql} keep the same rules in the database.
 *
 * @param alias 1 to 24 characters: with {@code proj_}, 32 digits and two underscores the longest is the longest identifier of
 *     PostgreSQL, so none is ever cut off
 */
public record FurtherSchema(String alias) {
    /** Of one project, besides {@code pgmq} and {@code pgmq_public}, which have its queues. */
    public static final int MAX_COUNT = 20;

    public static final int MAX_LENGTH = 24;

    /** What stands between a project's own name and the alias. No role and no companion has two underscores there. */
    static final String SEPARATOR = "__";

    /** The platform's, or of extensions that it may come to offer. */
    public static final Set<String> RESERVED = Set.of(
            "public",
            "auth",
            "storage",
            "realtime",
            "extensions",
            "information_schema",
            "graphql",
            "graphql_public",
            "cron",
            "net",
            "supabase_functions",
            "vault");

    /** A regular expression for its form, reserved names included. */
    public static final String PATTERN = "[a-z_][a-z0-9_]{0," + (MAX_LENGTH - 1) + "}";

    private static final Pattern RESERVED_PREFIX = Pattern.compile("(pg|svc|proj)_.*");
    private static final Pattern NAME = Pattern.compile(PATTERN);

    public FurtherSchema {
        if (!isName(alias)) {
            throw new IllegalArgumentException(alias + " is no name of a further schema");
        }
    }

    /** Whether a project may have a schema of this name. */
    public static boolean isName(String alias) {
        return NAME.matcher(alias).matches() && !isReserved(alias);
    }

    /** Whether the name is the platform's, whatever its form. */
    public static boolean isReserved(String alias) {
        return RESERVED.contains(alias) || RESERVED_PREFIX.matcher(alias).matches();
    }
}

package svc.management.advisor;

import java.util.Locale;

/**
 * The rules. Names and levels are those of Supabase's advisors, whose users and agents know them; the texts and the rules are
 * our own. The name on the wire is the constant's in lower case.
 */
enum LintRule {
    RLS_DISABLED_IN_PUBLIC(
            Level.ERROR,
            Category.SECURITY,
            "Row security is off in an exposed schema",
            "Callers of the API can reach a table without row security: every row is open to their grants.",
            "ALTER TABLE <schema>.<table> ENABLE ROW LEVEL SECURITY; then add policies for what callers may do."),
    POLICY_EXISTS_RLS_DISABLED(
            Level.ERROR,
            Category.SECURITY,
            "Policies without row security",
            "A table has policies, and row security is off: none of them applies.",
            "ALTER TABLE <schema>.<table> ENABLE ROW LEVEL SECURITY;"),
    RLS_ENABLED_NO_POLICY(
            Level.INFO,
            Category.SECURITY,
            "Row security without policies",
            "Row security is on and there is no policy: only service_role and the owner reach the rows.",
            "Add policies, or leave it if only the service-role key is meant to use the table."),
    SECURITY_DEFINER_VIEW(
            Level.ERROR,
            Category.SECURITY,
            "View that bypasses row security",
            "A view that callers can read runs with the rights of its owner: policies of the tables below do not apply.",
            "ALTER VIEW <schema>.<view> SET (security_invoker = true);"),
    FUNCTION_SEARCH_PATH_MUTABLE(
            Level.WARN,
            Category.SECURITY,
            "Function without a fixed search_path",
            "A function finds its objects along the search_path of its caller.",
            "ALTER FUNCTION <schema>.<function> SET search_path = ''; and qualify the names in its body."),
    AUTH_USERS_EXPOSED(
            Level.ERROR,
            Category.SECURITY,
            "Users are exposed by a view",
            "A view that callers can read shows columns of auth.users.",
            "Revoke SELECT from anon and authenticated, or show what is needed from a table of profiles with row security."),
    SENSITIVE_COLUMNS_EXPOSED(
            Level.ERROR,
            Category.SECURITY,
            "Sensitive columns without row security",
            "Callers can read a table without row security that has columns of secrets or of personal data.",
            "ALTER TABLE <schema>.<table> ENABLE ROW LEVEL SECURITY; or revoke SELECT on these columns."),
    RLS_POLICY_ALWAYS_TRUE(
            Level.WARN,
            Category.SECURITY,
            "Policy that allows every change",
            "A permissive policy lets callers change any row: its condition is always true.",
            "Replace true by a condition such as (select auth.uid()) = user_id."),
    PUBLIC_BUCKET_ALLOWS_LISTING(
            Level.WARN,
            Category.SECURITY,
            "Callers can list all files of a bucket",
            "A SELECT policy on storage.objects has no condition beside the bucket: callers can list every file in it.",
            "Drop the policy: files of a public bucket are served by their URL without one. Or add a condition on owner_id."),
    RLS_REFERENCES_USER_METADATA(
            Level.ERROR,
            Category.SECURITY,
            "Policy that trusts user_metadata",
            "A policy reads user_metadata, which users change themselves.",
            "Use app_metadata, or a table that users cannot write."),
    MATERIALIZED_VIEW_IN_API(
            Level.WARN,
            Category.SECURITY,
            "Materialized view that callers can read",
            "A materialized view has no row security, and callers can read it.",
            "REVOKE SELECT ON <schema>.<view> FROM anon, authenticated;"),
    FOREIGN_TABLE_IN_API(
            Level.WARN,
            Category.SECURITY,
            "Foreign table that callers can read",
            "A foreign table has no row security, and callers can read it.",
            "REVOKE SELECT ON <schema>.<table> FROM anon, authenticated;"),
    EXTENSION_IN_PUBLIC(
            Level.WARN,
            Category.SECURITY,
            "Extension in an exposed schema",
            "An extension lies in a schema that the API serves: callers can call its functions.",
            "ALTER EXTENSION <extension> SET SCHEMA extensions;"),
    EXTENSION_VERSIONS_OUTDATED(
            Level.WARN,
            Category.SECURITY,
            "Extension with a newer version",
            "The server has a newer version of an extension than the one in use.",
            "ALTER EXTENSION <extension> UPDATE;"),
    UNSUPPORTED_REG_TYPES(
            Level.WARN,
            Category.SECURITY,
            "Column of an object identifier type",
            "A column stores OIDs of catalog objects, which change when the database is restored or upgraded.",
            "Store the name as text, and cast it where it is read."),
    FKEY_TO_AUTH_UNIQUE(
            Level.ERROR,
            Category.SECURITY,
            "Foreign key to a column of auth.users that is not its key",
            "A foreign key refers to a unique column of auth.users, which an upgrade of the auth service may change.",
            "Refer to auth.users (id)."),
    ANON_SECURITY_DEFINER_FUNCTION_EXECUTABLE(
            Level.WARN,
            Category.SECURITY,
            "Privileged function that anyone can call",
            "A SECURITY DEFINER function in an exposed schema can be called without signing in.",
            "REVOKE EXECUTE ON FUNCTION <schema>.<function> FROM PUBLIC, anon; or check auth.uid() in its body."),
    AUTHENTICATED_SECURITY_DEFINER_FUNCTION_EXECUTABLE(
            Level.WARN,
            Category.SECURITY,
            "Privileged function that every user can call",
            "A SECURITY DEFINER function in an exposed schema can be called by every signed-in user.",
            "REVOKE EXECUTE ON FUNCTION <schema>.<function> FROM PUBLIC, authenticated; or check auth.uid() in its body."),

    UNINDEXED_FOREIGN_KEYS(
            Level.INFO,
            Category.PERFORMANCE,
            "Foreign key without an index",
            "No index begins with the columns of a foreign key: joins, and deletes of the referenced rows, read the table.",
            "CREATE INDEX ON <schema>.<table> (<columns>);"),
    AUTH_RLS_INITPLAN(
            Level.WARN,
            Category.PERFORMANCE,
            "Policy that evaluates a function for each row",
            "A policy calls auth.<function>() or current_setting() for every row, although it is the same for all.",
            "Write (select auth.uid()) in place of auth.uid(): PostgreSQL then evaluates it once for each statement."),
    MULTIPLE_PERMISSIVE_POLICIES(
            Level.WARN,
            Category.PERFORMANCE,
            "Several permissive policies for one role and action",
            "Every permissive policy is evaluated for each row.",
            "Join their conditions by OR in one policy."),
    DUPLICATE_INDEX(
            Level.WARN,
            Category.PERFORMANCE,
            "Identical indexes",
            "A table has several indexes that differ in their name only; each costs space and time of every write.",
            "DROP INDEX all of them but one."),
    UNUSED_INDEX(
            Level.INFO,
            Category.PERFORMANCE,
            "Index that is never used",
            "No query has used an index since the statistics began.",
            "DROP INDEX <schema>.<index>; unless it is new, or meant for rare queries."),
    NO_PRIMARY_KEY(
            Level.INFO,
            Category.PERFORMANCE,
            "Table without a primary key",
            "A table has no primary key: its rows cannot be addressed, and upserts and realtime updates do not work.",
            "ALTER TABLE <schema>.<table> ADD PRIMARY KEY (…);"),
    TABLE_BLOAT(
            Level.INFO,
            Category.PERFORMANCE,
            "Table with many dead rows",
            "More than half of a table's rows are dead, by the estimates of the statistics collector.",
            "End long transactions, which keep dead rows; then VACUUM runs by itself.");

    enum Level {
        ERROR,
        WARN,
        INFO
    }

    enum Category {
        SECURITY,
        PERFORMANCE
    }

    private final Level level;
    private final Category category;
    private final String title;
    private final String description;
    private final String remediation;

    LintRule(Level level, Category category, String title, String description, String remediation) {
        this.level = level;
        this.category = category;
        this.title = title;
        this.description = description;
        this.remediation = remediation;
    }

    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    Level level() {
        return level;
    }

    Category category() {
        return category;
    }

    String title() {
        return title;
    }

    String description() {
        return description;
    }

    String remediation() {
        return remediation;
    }
}

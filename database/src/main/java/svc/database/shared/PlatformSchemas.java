package svc.database.shared;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The schemas of the hardening itself: created, owned by a superuser, with exactly the intended grants. */
final class PlatformSchemas implements Section {
    /** The objects that {@link ScriptedObjects} created, and the hashes of their texts. */
    static final String APPLIED =
            "CREATE TABLE svc_guard.applied (object text PRIMARY KEY, script text NOT NULL, result text NOT NULL)";

    /** Those that every session may look into, besides the ones of extensions. */
    static final List<String> OPEN = List.of(
            "svc_views",
            "svc_information_schema",
            "svc_functions",
            "svc_statements",
            "svc_auth",
            "svc_storage",
            "svc_realtime",
            "extensions");

    private final Set<String> extensions;

    /** @param extensions schemas of what projects have as an extension */
    PlatformSchemas(Set<String> extensions) {
        this.extensions = extensions;
    }

    @Override
    public List<Step> plan(Session session) throws SQLException {
        List<Step> steps = new ArrayList<>();
        List<String> schemas = new ArrayList<>(OPEN);
        schemas.add("svc_guard");
        schemas.addAll(extensions);
        for (String schema : schemas) {
            if (session.value("SELECT oid FROM pg_namespace WHERE nspname = ?", schema) == null) {
                steps.add(Step.of("schema " + schema, "created", "CREATE SCHEMA " + schema + grant(schema)));
                continue;
            }
            // One query for grants that are missing; those too many were found with all schemas'.
            String grantee = schema.equals("svc_guard") ? "svc_catalog" : "PUBLIC";
            String missing = session.value("""
                    SELECT n.nspname FROM pg_namespace n
                    WHERE n.nspname = ? AND NOT EXISTS (
                        SELECT FROM aclexplode(n.nspacl) x
                        WHERE x.privilege_type = 'USAGE'
                          AND CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE x.grantee::regrole::text END = ?)""", schema, grantee);
            if (missing != null) {
                steps.add(Step.of(
                        "schema " + schema,
                        "USAGE granted to " + grantee,
                        grant(schema).substring(1)));
            }
            steps.addAll(session.steps("""
                    SELECT 'schema ' || n.nspname, x.privilege_type || ' revoked from ' || x.grantee::regrole,
                           format('REVOKE %s ON SCHEMA %I FROM %s', x.privilege_type, n.nspname, x.grantee::regrole)
                    FROM pg_namespace n, aclexplode(n.nspacl) x
                    WHERE n.nspname = ? AND x.grantee NOT IN (0, n.nspowner)
                      AND NOT (x.grantee::regrole::text = ? AND x.privilege_type = 'USAGE')""", schema, grantee));
            steps.addAll(session.steps("""
                    SELECT 'schema ' || n.nspname, 'owner changed to ' || current_user,
                           format('ALTER SCHEMA %I OWNER TO CURRENT_USER', n.nspname)
                    FROM pg_namespace n JOIN pg_authid a ON a.oid = n.nspowner
                    WHERE n.nspname = ? AND NOT a.rolsuper""", schema));
        }
        if (session.value("SELECT to_regclass('svc_guard.applied')") == null) {
            steps.add(Step.of("table svc_guard.applied", "created", APPLIED));
        }
        return steps;
    }

    private static String grant(String schema) {
        return ";GRANT USAGE ON SCHEMA " + schema + " TO " + (schema.equals("svc_guard") ? "svc_catalog" : "PUBLIC");
    }
}

package svc.database.shared;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import svc.database.sql.Literal;

/**
 * The roles of the platform: {@code svc_companion}, which owns schemas and companions and can never log in, and the
 * logins. Their attributes are compared with the catalog, their passwords as verifiers, which are deterministic.
 */
final class PlatformLogins implements Section {
    static final List<String> NAMES = List.of("svc_catalog", "svc_replication", "svc_platform", "svc_extensions");

    /** Its members may use the places that {@code reserved_connections} keeps free. */
    private static final String RESERVED = "pg_use_reserved_connections";

    private static final String LOWLY = "NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS INHERIT CONNECTION LIMIT -1";

    private final Map<String, String> verifiers;

    PlatformLogins(Map<String, String> verifiers) {
        this.verifiers = verifiers;
    }

    @Override
    public List<Step> plan(Session session) throws SQLException {
        List<Step> steps = new ArrayList<>();
        role(session, steps, "svc_companion", "NOLOGIN NOREPLICATION", null);
        for (String login : NAMES) {
            String replication = login.equals("svc_replication") ? "REPLICATION" : "NOREPLICATION";
            role(session, steps, login, "LOGIN " + replication, verifiers.get(login));
        }
        steps.addAll(session.steps(
                """
                SELECT 'role ' || m.member::regrole, 'membership in ' || m.roleid::regrole || ' revoked',
                       format('REVOKE %s FROM %s CASCADE', m.roleid::regrole, m.member::regrole)
                FROM pg_auth_members m JOIN pg_authid a ON a.oid = m.member
                WHERE a.rolname = ANY (?) AND NOT (m.roleid::regrole::text = ? AND a.rolcanlogin)
                  AND NOT (a.rolname = 'svc_platform' AND m.roleid::regrole::text = 'svc_log_reader' AND NOT m.inherit_option)
                ORDER BY 1, 2""",
                new String[] {"svc_companion", "svc_catalog", "svc_replication", "svc_platform", "svc_extensions"},
                RESERVED));
        for (String login : NAMES) {
            String member = session.value(
                    "SELECT m.oid FROM pg_auth_members m WHERE m.member = to_regrole(?) AND m.roleid = to_regrole(?)"
                            + " AND m.inherit_option",
                    login,
                    RESERVED);
            if (member == null) {
                steps.add(Step.of(
                        "role " + login,
                        "membership in " + RESERVED + " granted",
                        "GRANT " + RESERVED + " TO " + login + " WITH INHERIT TRUE, SET FALSE"));
            }
        }
        return steps;
    }

    private static void role(Session session, List<Step> steps, String name, String attributes, String verifier)
            throws SQLException {
        String password = verifier == null ? "NULL" : Literal.secret(verifier).sql();
        // The search_path of a login that reads catalogs must not contain a schema of a tenant.
        String all = attributes + " " + LOWLY + " PASSWORD " + password + "; ALTER ROLE " + name
                + " SET search_path = pg_catalog";
        List<List<String>> found = session.rows("""
                SELECT a.rolcanlogin, a.rolreplication,
                       a.rolsuper OR a.rolcreatedb OR a.rolcreaterole OR a.rolbypassrls
                         OR NOT a.rolinherit OR a.rolconnlimit <> -1 OR a.rolvaliduntil < 'infinity',
                       a.rolpassword,
                       (SELECT s.setconfig::text FROM pg_db_role_setting s WHERE s.setrole = a.oid AND s.setdatabase = 0)
                FROM pg_authid a WHERE a.rolname = ?""", name);
        if (found.isEmpty()) {
            steps.add(Step.of("role " + name, "created", "CREATE ROLE " + name + " " + all));
            return;
        }
        List<String> row = found.getFirst();
        boolean attributesHold = flag(row.get(0)) == attributes.startsWith("LOGIN")
                && flag(row.get(1)) == attributes.endsWith(" REPLICATION")
                && !flag(row.get(2))
                && "{search_path=pg_catalog}".equals(row.get(4));
        if (!attributesHold) {
            steps.add(Step.of(
                    "role " + name,
                    "attributes repaired",
                    "ALTER ROLE " + name + " RESET ALL; ALTER ROLE " + name + " VALID UNTIL 'infinity' " + all));
        } else if (!java.util.Objects.equals(row.get(3), verifier)) {
            steps.add(Step.of("role " + name, "password set", "ALTER ROLE " + name + " PASSWORD " + password));
        }
    }

    private static boolean flag(String value) {
        return "t".equals(value);
    }
}

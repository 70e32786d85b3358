package svc.database.shared;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * EXECUTE on the functions of pg_catalog (rule 4): PUBLIC has those of the allow-list and no other, {@code svc_catalog}
 * some more; grants to other roles are revoked, except superusers and PostgreSQL's own pg_* roles.
 */
final class CatalogFunctions implements Section {
    private static final String FUNCTIONS = "WITH f AS MATERIALIZED (SELECT p.oid, p.oid::regprocedure::text AS name,"
            + " p.proowner, coalesce(p.proacl, acldefault('f', p.proowner)) AS acl,"
            + " (p.proname = ANY (?) AND NOT " + AllowList.TAKES_REFERENCE + ") OR " + AllowList.SIGNATURE
            + " = ANY (?) AS listed FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace) ";

    private final AllowList everyLogin;
    private final AllowList catalogLogin;

    CatalogFunctions(AllowList everyLogin, AllowList catalogLogin) {
        this.everyLogin = everyLogin;
        this.catalogLogin = catalogLogin;
    }

    @Override
    public List<Step> plan(Session session) throws SQLException {
        List<Step> steps = new ArrayList<>();
        steps.addAll(session.steps(FUNCTIONS + """
                        SELECT 'function ' || f.name, 'EXECUTE revoked from PUBLIC',
                               format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', f.name)
                        FROM f WHERE NOT f.listed AND EXISTS (SELECT FROM aclexplode(f.acl) x WHERE x.grantee = 0)
                        UNION ALL
                        SELECT 'function ' || f.name, 'EXECUTE granted to PUBLIC',
                               format('GRANT EXECUTE ON ROUTINE %s TO PUBLIC', f.name)
                        FROM f WHERE f.listed AND NOT EXISTS (SELECT FROM aclexplode(f.acl) x WHERE x.grantee = 0)
                        ORDER BY 2 DESC, 1""", everyLogin.nameArray(), everyLogin.signatureArray()));
        steps.addAll(session.steps(FUNCTIONS + """
                        SELECT 'function ' || f.name, 'EXECUTE revoked from ' || a.rolname,
                               format('REVOKE ALL ON ROUTINE %s FROM %I CASCADE', f.name, a.rolname)
                        FROM f, aclexplode(f.acl) x JOIN pg_authid a ON a.oid = x.grantee
                        WHERE x.grantee <> f.proowner AND NOT a.rolsuper AND a.oid >= 16384
                          AND NOT (a.rolname = 'svc_catalog' AND f.listed)
                        UNION ALL
                        SELECT 'function ' || f.name, 'EXECUTE granted to svc_catalog',
                               format('GRANT EXECUTE ON ROUTINE %s TO svc_catalog', f.name)
                        FROM f WHERE f.listed AND NOT EXISTS (
                            SELECT FROM aclexplode(f.acl) x WHERE x.grantee = 'svc_catalog'::regrole)
                        ORDER BY 2 DESC, 1""", catalogLogin.nameArray(), catalogLogin.signatureArray()));
        return steps;
    }
}

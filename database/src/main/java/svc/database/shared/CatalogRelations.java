package svc.database.shared;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Relations outside the projects' schemas and the filtered views: nothing for PUBLIC, columns included (rule 4).
 * {@code svc_catalog} reads what the schema caches need; no other role has a grant in pg_catalog or svc_guard, except
 * superusers and PostgreSQL's own pg_* roles. Of extensions, {@link #READABLE} stay readable.
 */
final class CatalogRelations implements Section {
    /** The coordinate systems, which functions of PostGIS read with the rights of their caller. The same for all projects. */
    private static final String[] READABLE = {"spatial_ref_sys"};

    private final List<String> catalogLogin;
    private final Set<String> extensions;

    /** @param extensions schemas of what projects have as an extension, whose views are filtered as the catalog's are */
    CatalogRelations(List<String> catalogLogin, Set<String> extensions) {
        this.catalogLogin = catalogLogin;
        this.extensions = extensions;
    }

    @Override
    public List<Step> plan(Session session) throws SQLException {
        List<Step> steps = new ArrayList<>();
        steps.addAll(session.steps("""
                SELECT 'relation ' || c.oid::regclass, 'closed to PUBLIC',
                       format('REVOKE ALL ON TABLE %s FROM PUBLIC', c.oid::regclass)
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname !~ '^(proj_|pg_toast|pg_temp)'
                  AND n.nspname NOT IN ('svc_views', 'svc_information_schema')
                  AND NOT (n.nspname = ANY (?) AND c.relkind = 'v')
                  AND c.relkind IN ('r', 'v', 'm', 'p', 'f')
                  AND (EXISTS (SELECT FROM aclexplode(c.relacl) x WHERE x.grantee = 0
                                  AND NOT (n.nspname = 'extensions' AND c.relname = ANY (?) AND x.privilege_type = 'SELECT'))
                       OR EXISTS (SELECT FROM pg_attribute a, aclexplode(a.attacl) x
                                  WHERE a.attrelid = c.oid AND a.attacl IS NOT NULL AND x.grantee = 0))
                ORDER BY 1""", extensions.toArray(String[]::new), READABLE));
        String[] listed = catalogLogin.toArray(String[]::new);
        steps.addAll(session.steps("""
                SELECT DISTINCT 'relation ' || c.oid::regclass, 'revoked from ' || a.rolname,
                       format('REVOKE ALL ON TABLE %s FROM %I CASCADE', c.oid::regclass, a.rolname)
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, aclexplode(c.relacl) x
                JOIN pg_authid a ON a.oid = x.grantee
                WHERE n.nspname IN ('pg_catalog', 'svc_guard', 'information_schema')
                  AND x.grantee <> c.relowner AND NOT a.rolsuper AND a.oid >= 16384
                  AND NOT (a.rolname = 'svc_catalog' AND x.privilege_type = 'SELECT'
                           AND (n.nspname = 'pg_catalog' AND c.relname = ANY (?)
                                OR n.nspname = 'svc_guard' AND c.relname = 'schema_version'))
                ORDER BY 1""", (Object) listed));
        steps.addAll(session.steps("""
                SELECT 'relation ' || c.oid::regclass, 'SELECT granted to svc_catalog',
                       format('GRANT SELECT ON TABLE %s TO svc_catalog', c.oid::regclass)
                FROM pg_class c
                WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relname = ANY (?)
                  AND NOT EXISTS (SELECT FROM aclexplode(c.relacl) x
                                  WHERE x.grantee = 'svc_catalog'::regrole AND x.privilege_type = 'SELECT')
                ORDER BY 1""", (Object) listed));
        return steps;
    }
}

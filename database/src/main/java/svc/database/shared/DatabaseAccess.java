package svc.database.shared;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Access to databases, schemas and languages: no connections to the server's other databases, no way into schemas that
 * are not made for tenants, no language but SQL and PL/pgSQL. CONNECT and TEMP on this database stay with PUBLIC: a grant
 * per project would grow one catalog row without bound. The guard keeps temporary objects to the owners of projects.
 */
final class DatabaseAccess implements Section {
    private final HardeningSettings settings;

    private final Set<String> open;

    /** @param open schemas of the platform that every session may look into */
    DatabaseAccess(HardeningSettings settings, Set<String> open) {
        this.settings = settings;
        this.open = open;
    }

    @Override
    public List<Step> plan(Session session) throws SQLException {
        List<Step> steps = new ArrayList<>();
        steps.addAll(session.steps("""
                SELECT 'database ' || d.datname, x.privilege_type || ' revoked from PUBLIC',
                       format('REVOKE %s ON DATABASE %I FROM PUBLIC', x.privilege_type, d.datname)
                FROM pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) x
                WHERE x.grantee = 0
                  AND (x.privilege_type NOT IN ('CONNECT', 'TEMPORARY')
                       OR d.datname <> ALL (current_database()::text || ?))
                ORDER BY 1, 2""", (Object) settings.otherSharedDatabases().toArray(String[]::new)));
        steps.addAll(session.steps("""
                SELECT 'database ' || d.datname, p.privilege || ' granted to PUBLIC',
                       format('GRANT %s ON DATABASE %I TO PUBLIC', p.privilege, d.datname)
                FROM pg_database d, (VALUES ('CONNECT'), ('TEMPORARY')) AS p (privilege)
                WHERE d.datname = current_database() AND NOT EXISTS (
                    SELECT FROM aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) x
                    WHERE x.grantee = 0 AND x.privilege_type = p.privilege)
                ORDER BY 2"""));
        if (settings.platformDatabase().isPresent()) {
            steps.addAll(session.steps("""
                    SELECT 'database ' || d.datname, 'CONNECT granted to svc_platform',
                           format('GRANT CONNECT ON DATABASE %I TO svc_platform', d.datname)
                    FROM pg_database d
                    WHERE d.datname = ? AND NOT EXISTS (
                        SELECT FROM aclexplode(d.datacl) x
                        WHERE x.grantee = 'svc_platform'::regrole AND x.privilege_type = 'CONNECT')""", settings.platformDatabase().get()));
        }
        steps.addAll(session.steps("""
                SELECT 'schema ' || n.nspname, x.privilege_type || ' revoked from PUBLIC',
                       format('REVOKE %s ON SCHEMA %I FROM PUBLIC', x.privilege_type, n.nspname)
                FROM pg_namespace n, aclexplode(n.nspacl) x
                WHERE x.grantee = 0
                  AND NOT (x.privilege_type = 'USAGE'
                           AND n.nspname = ANY ('pg_catalog'::text || ?))
                ORDER BY 1, 2""", (Object) open.toArray(String[]::new)));
        steps.addAll(session.steps("""
                SELECT 'language ' || l.lanname, 'USAGE revoked from PUBLIC',
                       format('REVOKE USAGE ON LANGUAGE %I FROM PUBLIC', l.lanname)
                FROM pg_language l, aclexplode(coalesce(l.lanacl, acldefault('l', l.lanowner))) x
                WHERE x.grantee = 0 AND l.lanpltrusted AND l.lanname NOT IN ('sql', 'plpgsql') ORDER BY 1"""));
        steps.addAll(session.steps("""
                SELECT 'large object ' || m.oid, 'closed to PUBLIC',
                       format('REVOKE ALL ON LARGE OBJECT %s FROM PUBLIC', m.oid)
                FROM pg_largeobject_metadata m, aclexplode(m.lomacl) x WHERE x.grantee = 0 ORDER BY m.oid"""));
        return steps;
    }
}

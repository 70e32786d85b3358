package svc.database.shared;

import java.sql.SQLException;
import java.util.List;

/**
 * Extensions are database-wide, so the platform installs the allowed ones, into the schema {@code extensions} (rule 10).
 */
final class Extensions implements Section {
    private final List<String> allowed;

    Extensions(List<String> allowed) {
        this.allowed = allowed;
    }

    @Override
    public List<Step> plan(Session session) throws SQLException {
        String[] names = allowed.toArray(String[]::new);
        return session.steps("""
                SELECT 'extension ' || a.name, 'installed',
                       format('CREATE EXTENSION %I WITH SCHEMA extensions', a.name)
                FROM pg_available_extensions a
                WHERE a.name = ANY (?) AND a.installed_version IS NULL
                UNION ALL
                SELECT 'extension ' || e.extname, 'moved to schema extensions',
                       format('ALTER EXTENSION %I SET SCHEMA extensions', e.extname)
                FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
                WHERE e.extname = ANY (?) AND n.nspname <> 'extensions' ORDER BY 1""", names, names);
    }

    /** Allowed extensions that this server has no files for. */
    List<String> unavailable(Session session) throws SQLException {
        return session.rows("""
                        SELECT a.name FROM unnest(?) a (name)
                        WHERE a.name NOT IN (SELECT v.name FROM pg_available_extensions v) ORDER BY 1""", (Object) allowed.toArray(String[]::new)).stream()
                .map(List::getFirst)
                .toList();
    }
}

package svc.api.rest.schema;

import java.util.Map;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/** How a database tells that something in some schemas has changed. */
public interface VersionSource {
    /**
     * An expression of type text that changes with each transaction that changed something in the schemas which its one bind
     * names, as {@code text[]}; null when nothing ever has. It is read alone, and within the statement that reads the
     * schemas, whose snapshot it then belongs to.
     */
    SqlFragment expression();

    /** The rows that the guard of a shared database writes in each DDL's own transaction. */
    static VersionSource guarded() {
        return () -> SqlFragment.of("""
                (SELECT pg_catalog.string_agg(v.version::pg_catalog.text || '@' || v.changed_at::pg_catalog.text, ' '
                                              ORDER BY v.schema_name)
                 FROM svc_guard.schema_version v WHERE v.schema_name = ANY (?::pg_catalog.text[]))""");
    }

    /**
     * Of a database that tells nothing of its changes: a sum over the catalog's own row versions. Every DDL writes such
     * rows, VACUUM and ANALYZE write theirs in place and change none. Of views only the definitions count beyond the
     * schemas that are named, and constraints count wherever they are, because views inherit them.
     */
    static VersionSource catalog() {
        return () -> SqlTemplate.resource(VersionSource.class, "version.sql").bind(Map.of());
    }
}

package svc.database.project;

import java.util.Map;
import java.util.Set;
import svc.database.name.ProjectNames;
import svc.database.sql.Literal;
import svc.database.sql.SqlTemplate;

/**
 * The row by which schema caches see that a project's catalog changed (DESIGN §4, rule 5). The tenant's own DDL raises it
 * through an event trigger; the platform's does not pass through that and raises it here. A database that was not prepared
 * for sharing has no such table, and nothing happens.
 */
final class SchemaVersion {
    private static final SqlTemplate RAISE = SqlTemplate.of("""
            IF to_regclass('svc_guard.schema_version') IS NOT NULL THEN
                INSERT INTO svc_guard.schema_version AS v (schema_name, version, changed_at)
                VALUES (:'schema', 1, now())
                ON CONFLICT (schema_name) DO UPDATE SET version = v.version + 1, changed_at = now();
            END IF;""");
    private static final SqlTemplate FORGET = SqlTemplate.of("""
            IF to_regclass('svc_guard.schema_version') IS NOT NULL THEN
                DELETE FROM svc_guard.schema_version WHERE schema_name = :'schema';
            END IF;""");

    private SchemaVersion() {}

    static SqlStep raise(ProjectNames names) {
        return step("raise schema version", RAISE, names);
    }

    static SqlStep forget(ProjectNames names) {
        return step("forget schema version", FORGET, names);
    }

    private static SqlStep step(String name, SqlTemplate template, ProjectNames names) {
        return SqlStep.of(name, Set.of(), template.bind(Map.of("schema", Literal.of(names.schemaName()))));
    }
}

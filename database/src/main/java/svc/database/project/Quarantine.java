package svc.database.project;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.database.name.ProjectNames;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/**
 * Projects of a shared database that the operator's watch has closed: a row each, beside logins that cannot log in. The row
 * outlives the operator, and no reconciliation opens the logins while it is there.
 */
public final class Quarantine {
    private static final SqlTemplate ENTER = SqlTemplate.of("""
            INSERT INTO svc_guard.quarantine (schema_name, message) VALUES (:'schema', :'message')
            ON CONFLICT (schema_name) DO NOTHING;""");
    private static final SqlTemplate LEAVE = SqlTemplate.of("""
            IF to_regclass('svc_guard.quarantine') IS NOT NULL THEN
                DELETE FROM svc_guard.quarantine WHERE schema_name = :'schema';
            END IF;""");
    private static final SqlTemplate MESSAGE =
            SqlTemplate.of("SELECT q.message FROM svc_guard.quarantine q WHERE q.schema_name = :'schema'");

    private Quarantine() {}

    /** Closes the logins and keeps everything else. End the sessions after the commit: {@link ProjectRemoval#terminate}. */
    public static List<SqlStep> enter(ProjectNames names, String message) {
        List<SqlStep> steps = new ArrayList<>();
        steps.add(SqlStep.of(
                "enter quarantine",
                Set.of(),
                ENTER.bind(Map.of("schema", Literal.of(names.schemaName()), "message", Literal.of(message)))));
        steps.addAll(ProjectRemoval.retain(names));
        return steps;
    }

    /** Forgets the row; the layout opens the logins. Does nothing in a database without the table. */
    public static SqlStep leave(ProjectNames names) {
        return SqlStep.of("leave quarantine", Set.of(), LEAVE.bind(Map.of("schema", Literal.of(names.schemaName()))));
    }

    /** Reads why the project is in quarantine; no row when it is not. */
    public static SqlFragment message(ProjectNames names) {
        return MESSAGE.bind(Map.of("schema", Literal.of(names.schemaName())));
    }
}

package svc.database.project;

import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.database.name.Layout;
import svc.database.name.ProjectNames;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/** The row by which the guard of a shared database knows limits that differ from the defaults. */
final class ObjectLimitSteps {
    private static final SqlTemplate SET = SqlTemplate.of("""
            INSERT INTO svc_guard.setting (name, value) VALUES (:'name', :'value')
            ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value;""");
    private static final SqlTemplate RESET = SqlTemplate.of("DELETE FROM svc_guard.setting WHERE name = :'name';");

    private ObjectLimitSteps() {}

    /** None in a database of the project's own, where no neighbour shares the catalogs. */
    static List<SqlStep> of(ProjectTarget target) {
        ObjectLimits limits = target.limits().objects();
        if (target.names().layout() == Layout.DEDICATED || limits.differing().isEmpty()) {
            return List.of();
        }
        Set<Fact> fact = Set.of(new Fact(Fact.Kind.OBJECT_LIMITS, "project", limits.json()));
        Map<String, Literal> values =
                Map.of("name", Literal.of(rowName(target.names())), "value", Literal.of(limits.json()));
        return List.of(SqlStep.of("object limits", fact, SET.bind(values)));
    }

    /** Returns to the defaults. */
    static SqlFragment reset(ProjectNames names) {
        return RESET.bind(Map.of("name", Literal.of(rowName(names))));
    }

    static String rowName(ProjectNames names) {
        return "object limits of " + names.schemaName();
    }
}

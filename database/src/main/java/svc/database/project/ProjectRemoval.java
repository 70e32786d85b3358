package svc.database.project;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.database.name.DatabaseRole;
import svc.database.name.Layout;
import svc.database.name.ProjectNames;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/**
 * How a project leaves its database. The steps may be run when part of the project is gone already. They name exactly the
 * schemas and roles that {@link ProjectNames} derives from the project's id, so never an object of another project.
 */
public final class ProjectRemoval {
    private static final SqlTemplate NO_LOGIN = SqlTemplate.of("""
            IF to_regrole(:'quoted') IS NOT NULL THEN ALTER ROLE :"role" NOLOGIN; END IF;""");
    private static final SqlTemplate TERMINATE = SqlTemplate.of("""
            PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE usename = ANY (ARRAY[:{logins}]::name[]) AND pid <> pg_backend_pid();""");
    private static final SqlTemplate DROP_SCHEMA = SqlTemplate.of("DROP SCHEMA IF EXISTS :\"schema\" CASCADE;");
    private static final SqlTemplate DROP_FURTHER = SqlTemplate.of("""
            DECLARE further name; BEGIN
              FOR further IN SELECT n.nspname FROM pg_namespace n WHERE :{condition} LOOP
                EXECUTE format('DROP SCHEMA %I CASCADE', further);
              END LOOP;
            END;""");
    private static final SqlTemplate FURTHER_BY_NAME =
            SqlTemplate.of("n.nspname >= :'first'::name AND n.nspname < :'end'::name");
    private static final SqlTemplate FURTHER_BY_OWNER =
            SqlTemplate.of("n.nspowner = to_regrole(:'owner')::oid AND n.nspname <> ALL (ARRAY[:{others}]::name[])");
    private static final SqlTemplate DROP_ROLE = SqlTemplate.of("""
            IF to_regrole(:'quoted') IS NOT NULL THEN DROP OWNED BY :"role" CASCADE; DROP ROLE :"role"; END IF;""");

    private static final SqlTemplate FORGET_SETTINGS = SqlTemplate.of("""
            IF to_regclass('svc_guard.setting') IS NOT NULL THEN
              DELETE FROM svc_guard.setting WHERE name = ANY (ARRAY[:{names}]);
            END IF;
            IF to_regclass('svc_guard.object_count') IS NOT NULL THEN
              DELETE FROM svc_guard.object_count WHERE schema_name = :'schema';
            END IF;
            IF to_regprocedure('svc_guard.forget_extensions(text)') IS NOT NULL THEN
              PERFORM svc_guard.forget_extensions(:'schema');
            END IF;""");

    private ProjectRemoval() {}

    /** Disables the logins of the project and keeps everything else. */
    public static List<SqlStep> retain(ProjectNames names) {
        List<SqlStep> steps = new ArrayList<>();
        for (DatabaseRole role : DatabaseRole.values()) {
            if (role.login()) {
                steps.add(step("close login " + role.suffix(), NO_LOGIN, names.role(role)));
            }
        }
        return steps;
    }

    /**
     * Ends the project's sessions; run in a transaction of its own after {@link #retain} has committed, so that none can
     * come back between the two.
     */
    public static SqlStep terminate(ProjectNames names) {
        List<Literal> logins = new ArrayList<>();
        for (DatabaseRole role : DatabaseRole.values()) {
            if (role.login()) {
                logins.add(Literal.of(names.role(role).name()));
            }
        }
        return SqlStep.of("end sessions", Set.of(), TERMINATE.bind(Map.of("logins", SqlFragment.join(", ", logins))));
    }

    /** Schemas with all in them, then the roles with what they own elsewhere in this database. */
    public static List<SqlStep> delete(ProjectNames names) {
        List<SqlStep> steps = new ArrayList<>(List.of(dropFurtherSchemas(names)));
        // The project's own schema first: its triggers and keys hang on the companions, not the other way round.
        List<Identifier> schemas = new ArrayList<>(List.of(names.schema()));
        schemas.addAll(names.companions());
        for (Identifier schema : schemas) {
            // Of a shared database, only schemas of our pattern; in a dedicated one the whole database is the
            // project's.
            if (names.layout() == Layout.SHARED && !schema.name().startsWith(names.schemaName())) {
                throw new IllegalStateException(schema + " is not of the project " + names.schemaName());
            }
            steps.add(SqlStep.of("drop schema " + schema.name(), Set.of(), DROP_SCHEMA.bind(Map.of("schema", schema))));
        }
        for (DatabaseRole role : DatabaseRole.values()) {
            steps.add(step("drop role " + role.suffix(), DROP_ROLE, names.role(role)));
        }
        steps.add(forgetSettings(names));
        steps.add(SchemaVersion.forget(names));
        steps.add(Quarantine.leave(names));
        return steps;
    }

    /** In a dedicated database, where their names say nothing, those that the companions' owner owns besides the others. */
    private static SqlStep dropFurtherSchemas(ProjectNames names) {
        SqlFragment condition = switch (names.layout()) {
            // By the index on names: a grave accent follows the underscore.
            case SHARED ->
                FURTHER_BY_NAME.bind(Map.of(
                        "first", Literal.of(names.furtherPrefix()),
                        "end", Literal.of(names.schemaName() + "_`")));
            case DEDICATED -> {
                List<Literal> others = new ArrayList<>(List.of(Literal.of(names.schemaName())));
                names.companions().forEach(companion -> others.add(Literal.of(companion.name())));
                yield FURTHER_BY_OWNER.bind(Map.of(
                        "owner", Literal.of(PlatformNames.COMPANION_OWNER.name()),
                        "others", SqlFragment.join(", ", others)));
            }
        };
        return SqlStep.of("drop further schemas", Set.of(), DROP_FURTHER.bind(Map.of("condition", condition)));
    }

    private static SqlStep forgetSettings(ProjectNames names) {
        List<Literal> notes = new ArrayList<>(List.of(Literal.of(ObjectLimitSteps.rowName(names))));
        for (DatabaseRole role : DatabaseRole.values()) {
            notes.add(Literal.of("verifier of " + names.role(role).name()));
        }
        return SqlStep.of(
                "forget settings",
                Set.of(),
                FORGET_SETTINGS.bind(
                        Map.of("names", SqlFragment.join(", ", notes), "schema", Literal.of(names.schemaName()))));
    }

    private static SqlStep step(String name, SqlTemplate template, Identifier role) {
        return SqlStep.of(name, Set.of(), template.bind(Map.of("quoted", Literal.of(role.sql()), "role", role)));
    }
}

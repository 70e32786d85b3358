package svc.database.project;

import static svc.database.project.Fact.Kind.DEFAULT_PRIVILEGES;
import static svc.database.project.Fact.Kind.GRANT;
import static svc.database.project.Fact.Kind.OWNER;
import static svc.database.project.Fact.Kind.SCHEMA;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.database.name.DatabaseRole;
import svc.database.project.companion.CompanionSchema;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/** Steps for the four schemas: existence, ownership, USAGE, and default privileges of the owner. */
final class SchemaSteps {
    private static final String PROJECT = "project";
    private static final SqlTemplate CREATE = SqlTemplate.of("CREATE SCHEMA :\"schema\" AUTHORIZATION :\"owner\";");
    private static final SqlTemplate OWN = SqlTemplate.of("ALTER SCHEMA :\"schema\" OWNER TO :\"owner\";");
    private static final SqlTemplate ENTER = SqlTemplate.of("GRANT USAGE ON SCHEMA :\"schema\" TO :{roles};");
    private static final SqlTemplate CREATE_IN = SqlTemplate.of("GRANT CREATE ON SCHEMA :\"schema\" TO :\"role\";");
    private static final SqlTemplate CLOSE_DEFAULTS = SqlTemplate.of("""
            ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
            ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" REVOKE USAGE ON TYPES FROM PUBLIC;
            """);
    private static final SqlTemplate FIRST_DEFAULTS = SqlTemplate.of("""
            ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA :"schema" GRANT ALL ON TABLES TO :{roles};
            ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA :"schema" GRANT ALL ON SEQUENCES TO :{roles};
            ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA :"schema" GRANT EXECUTE ON FUNCTIONS TO :{roles};
            COMMENT ON SCHEMA :"schema" IS :'note';
            """);
    private static final SqlTemplate NOTE = SqlTemplate.of("COMMENT ON ROLE :\"role\" IS :'note';");

    /** The observation looks for this at the end of a comment; what shows the schema's comment leaves it out. */
    private static final Literal GIVEN = Literal.of("svc: default privileges given");

    private static final List<DatabaseRole> CALLERS =
            List.of(DatabaseRole.ANON, DatabaseRole.AUTHENTICATED, DatabaseRole.SERVICE);

    private final ProjectTarget target;

    SchemaSteps(ProjectTarget target) {
        this.target = target;
    }

    List<SqlStep> steps() {
        List<SqlStep> steps = new ArrayList<>();
        List<DatabaseRole> inProject = new ArrayList<>(CALLERS);
        inProject.add(0, DatabaseRole.OWNER);
        schema(PROJECT, target.names().schema(), inProject, List.of(DatabaseRole.OWNER), steps);
        List<DatabaseRole> inCompanion = new ArrayList<>(inProject);
        inCompanion.add(DatabaseRole.SYSTEM);
        for (CompanionSchema companion : CompanionSchema.values()) {
            schema(companion.label(), companion.in(target.names()), inCompanion, List.of(), steps);
        }
        steps.add(closedDefaults());
        steps.add(firstDefaults());
        return steps;
    }

    private void schema(
            String label, Identifier schema, List<DatabaseRole> enter, List<DatabaseRole> create, List<SqlStep> steps) {
        Map<String, Identifier> values = Map.of("schema", schema, "owner", PlatformNames.COMPANION_OWNER);
        Fact exists = Fact.of(SCHEMA, label);
        Fact owned = new Fact(OWNER, "schema " + label, "companion");
        steps.add(new SqlStep("create schema " + label, Set.of(exists), Set.of(exists, owned), CREATE.bind(values)));
        steps.add(SqlStep.of("owner of schema " + label, Set.of(owned), OWN.bind(values)));
        Set<Fact> grants = new LinkedHashSet<>();
        enter.forEach(role -> grants.add(new Fact(GRANT, "schema " + label, role.suffix() + " USAGE")));
        SqlFragment sql = ENTER.bind(Map.of("schema", schema, "roles", roles(enter)));
        for (DatabaseRole role : create) {
            grants.add(new Fact(GRANT, "schema " + label, role.suffix() + " CREATE"));
            sql = sql.append("\n")
                    .append(CREATE_IN.bind(
                            Map.of("schema", schema, "role", target.names().role(role))));
        }
        steps.add(SqlStep.of("grants on schema " + label, grants, sql));
    }

    /** The platform's promise to every project: what the owner makes is closed to PUBLIC. Repaired when undone. */
    private SqlStep closedDefaults() {
        return SqlStep.of(
                "default privileges of the owner",
                Set.of(
                        new Fact(DEFAULT_PRIVILEGES, "functions", "closed to PUBLIC"),
                        new Fact(DEFAULT_PRIVILEGES, "types", "closed to PUBLIC")),
                CLOSE_DEFAULTS.bind(Map.of("owner", target.names().role(DatabaseRole.OWNER))));
    }

    /**
     * What Supabase grants on new objects of {@code public}. Given once, and from then on the tenant's: one who revokes them
     * to close a table by default must not find them back five minutes later. That they were given is written into comments
     * on the schema and the roles, which go when one of those is dropped by hand, and then they are given again.
     */
    private SqlStep firstDefaults() {
        Set<Fact> given = new LinkedHashSet<>(Set.of(new Fact(DEFAULT_PRIVILEGES, PROJECT, "given")));
        SqlFragment sql = FIRST_DEFAULTS.bind(Map.of(
                "owner", target.names().role(DatabaseRole.OWNER),
                "schema", target.names().schema(),
                "roles", roles(CALLERS),
                "note", GIVEN));
        List<DatabaseRole> concerned = new ArrayList<>(CALLERS);
        concerned.add(DatabaseRole.OWNER);
        for (DatabaseRole role : concerned) {
            given.add(new Fact(DEFAULT_PRIVILEGES, role.suffix(), "given"));
            sql = sql.append("\n")
                    .append(NOTE.bind(Map.of("role", target.names().role(role), "note", GIVEN)));
        }
        return SqlStep.of("first default privileges", given, sql);
    }

    private SqlFragment roles(List<DatabaseRole> roles) {
        return SqlFragment.join(", ", roles.stream().map(target.names()::role).toList());
    }
}

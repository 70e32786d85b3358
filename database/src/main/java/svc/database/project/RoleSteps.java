package svc.database.project;

import static svc.database.project.Fact.Kind.ATTRIBUTES;
import static svc.database.project.Fact.Kind.MEMBER;
import static svc.database.project.Fact.Kind.PASSWORD;
import static svc.database.project.Fact.Kind.ROLE;
import static svc.database.project.Fact.Kind.SETTING;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.database.name.DatabaseRole;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.database.sql.SqlValue;
import svc.database.sql.TextHash;

/** The six roles: that they exist, with which attributes, password, settings and memberships. */
final class RoleSteps {
    private static final SqlTemplate CREATE =
            SqlTemplate.of("CREATE ROLE :\"role\" :{attributes} PASSWORD :{password};");
    private static final SqlTemplate ALTER = SqlTemplate.of("ALTER ROLE :\"role\" :{attributes} PASSWORD :{password};");
    private static final SqlTemplate SET = SqlTemplate.of("ALTER ROLE :\"role\" SET :\"parameter\" = :{value};");
    private static final SqlTemplate JOIN =
            SqlTemplate.of("GRANT :\"granted\" TO :\"member\" WITH INHERIT FALSE, SET TRUE, ADMIN FALSE;");

    private static final SqlTemplate HOLD =
            SqlTemplate.of("GRANT :\"role\" TO CURRENT_USER WITH INHERIT TRUE, SET TRUE;");
    private static final SqlTemplate REMEMBER = SqlTemplate.of("""
            INSERT INTO svc_guard.setting (name, value) VALUES (:'name', :'value')
            ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value;""");

    private final ProjectTarget target;

    RoleSteps(ProjectTarget target) {
        this.target = target;
    }

    List<SqlStep> steps() {
        List<SqlStep> steps = new ArrayList<>();
        for (DatabaseRole role : DatabaseRole.values()) {
            create(role, steps);
        }
        for (DatabaseRole role : DatabaseRole.values()) {
            if (role.login()) {
                steps.add(settings(role));
            }
            for (DatabaseRole granted : DatabaseRole.values()) {
                if (role.mayBecome().contains(granted)) {
                    steps.add(membership(role, granted));
                }
            }
        }
        return steps;
    }

    private void create(DatabaseRole role, List<SqlStep> steps) {
        SqlFragment attributes = attributes(role);
        String verifier = target.verifiers().get(role);
        SqlFragment password = verifier == null ? SqlFragment.of("NULL") : SqlFragment.of(Literal.secret(verifier));
        Fact exists = Fact.of(ROLE, role.suffix());
        Set<Fact> state = Set.of(
                new Fact(ATTRIBUTES, role.suffix(), attributes.sql()),
                new Fact(PASSWORD, role.suffix(), verifier == null ? "" : seen(verifier)));
        Set<Fact> all = new LinkedHashSet<>(state);
        all.add(exists);
        Identifier name = target.names().role(role);
        steps.add(new SqlStep(
                "create role " + role.suffix(),
                Set.of(exists),
                all,
                remembering(role, CREATE.bind(Map.of("role", name, "attributes", attributes, "password", password)))));
        steps.add(SqlStep.of(
                "attributes of role " + role.suffix(),
                state,
                remembering(
                        role, ALTER.bind(Map.of("role", name, "attributes", alterable(role), "password", password)))));
        if (target.provisioner() == Provisioner.ROLE_CREATOR) {
            steps.add(SqlStep.of(
                    "hold role " + role.suffix(),
                    Set.of(new Fact(MEMBER, "provisioner", role.suffix())),
                    HOLD.bind(Map.of("role", name))));
        }
    }

    /** The verifier as the observation shows it. */
    private String seen(String verifier) {
        return switch (target.provisioner()) {
            case SUPERUSER -> verifier;
            case ROLE_CREATOR -> TextHash.of(verifier);
        };
    }

    /** The hash says which verifier the platform set last: {@code svc_functions.restore_login} sets that one again. */
    private SqlFragment remembering(DatabaseRole role, SqlFragment sql) {
        String verifier = target.verifiers().get(role);
        if (verifier == null) {
            return sql;
        }
        return sql.append("\n")
                .append(REMEMBER.bind(Map.of(
                        "name",
                                Literal.of("verifier of "
                                        + target.names().role(role).name()),
                        "value", Literal.of(TextHash.of(verifier)))));
    }

    /** In the order and spelling of the observation, so that one text serves both as fact and as SQL. */
    private SqlFragment attributes(DatabaseRole role) {
        return attributes(role, SqlFragment.of("NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION CONNECTION LIMIT"));
    }

    /** Who has not an attribute may not even say that another is to have it not. */
    private SqlFragment alterable(DatabaseRole role) {
        return switch (target.provisioner()) {
            case SUPERUSER -> attributes(role);
            case ROLE_CREATOR -> attributes(role, SqlFragment.of("CONNECTION LIMIT"));
        };
    }

    private SqlFragment attributes(DatabaseRole role, SqlFragment without) {
        RoleSettings settings = target.limits().logins().get(role);
        return SqlFragment.join(
                " ",
                List.of(
                        role.login() ? SqlFragment.of("LOGIN") : SqlFragment.of("NOLOGIN"),
                        role.mayBecome().isEmpty() ? SqlFragment.of("INHERIT") : SqlFragment.of("NOINHERIT"),
                        role.bypassesRowSecurity() ? SqlFragment.of("BYPASSRLS") : SqlFragment.of("NOBYPASSRLS"),
                        without,
                        settings == null ? SqlFragment.of("-1") : Literal.of(settings.connectionLimit()),
                        SqlFragment.of("VALID UNTIL 'infinity'")));
    }

    private SqlStep settings(DatabaseRole role) {
        Identifier name = target.names().role(role);
        Set<Fact> facts = new LinkedHashSet<>();
        List<SqlFragment> sql = new ArrayList<>();
        List<Identifier> path = searchPath();
        // PostgreSQL stores a list of names unquoted where quotes are not needed, as they are not for ours.
        String stored = String.join(", ", path.stream().map(Identifier::name).toList());
        facts.add(new Fact(SETTING, role.suffix(), "search_path=" + stored));
        sql.add(set(name, "search_path", SqlFragment.join(", ", path)));
        target.limits().logins().get(role).parameters(target.provisioner()).forEach((parameter, value) -> {
            facts.add(new Fact(SETTING, role.suffix(), parameter + "=" + value));
            sql.add(set(name, parameter, Literal.of(value)));
        });
        return SqlStep.of("settings of role " + role.suffix(), facts, SqlFragment.join("\n", sql));
    }

    private List<Identifier> searchPath() {
        return List.of(target.names().schema(), PlatformNames.VIEWS, PlatformNames.CATALOG, PlatformNames.EXTENSIONS);
    }

    private static SqlFragment set(Identifier role, String parameter, SqlValue value) {
        return SET.bind(Map.of("role", role, "parameter", Identifier.of(parameter), "value", SqlFragment.of(value)));
    }

    private SqlStep membership(DatabaseRole member, DatabaseRole granted) {
        return SqlStep.of(
                "membership of " + member.suffix() + " in " + granted.suffix(),
                Set.of(new Fact(MEMBER, member.suffix(), granted.suffix() + " inherit=f set=t admin=f by=")),
                JOIN.bind(Map.of(
                        "granted",
                        target.names().role(granted),
                        "member",
                        target.names().role(member))));
    }
}

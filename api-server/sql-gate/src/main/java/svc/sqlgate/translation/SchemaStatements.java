package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.name.FurtherSchema;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.platform.problem.ProblemCode;
import svc.sqlgate.parser.Statement;

/**
 * A project's further schemas. They belong to the platform, so a function of the platform creates, renames and drops them and
 * grants USAGE on them. Schemas that every project has are left to {@link NoOpStatements}, except for the comment of the main
 * one.
 */
final class SchemaStatements {
    private static final SqlTemplate CREATE =
            SqlTemplate.of("CALL svc_statements.create_schema(:'alias', :'if_not_exists', :{elements})");
    private static final SqlTemplate DROP =
            SqlTemplate.of("CALL svc_statements.drop_schemas(:{aliases}, :'if_exists', :'cascade')");
    private static final SqlTemplate RENAME =
            SqlTemplate.of("CALL svc_statements.rename_schema(:'alias', :'new_alias')");
    private static final SqlTemplate COMMENT =
            SqlTemplate.of("CALL svc_statements.comment_on_schema(:'alias', :{comment})");
    private static final SqlTemplate KEEP = SqlTemplate.of("CALL svc_statements.keep_schema(:'alias')");
    private static final SqlTemplate GRANT =
            SqlTemplate.of("CALL svc_statements.grant_on_schemas(:{aliases}, :{roles}, :'given')");

    private static final String NAME_HINT = "A schema of your own has a name of 1 to " + FurtherSchema.MAX_LENGTH
            + " characters: a to z, digits and underscores, and no digit at its beginning. Names that begin with pg_, svc_"
            + " or proj_ and those of the platform and of extensions are taken.";

    private final ProjectScope scope;

    SchemaStatements(ProjectScope scope) {
        this.scope = scope;
    }

    Rewrite create(Statement statement) {
        JsonNode tree = statement.tree();
        String name = tree.path("schemaname").asText();
        if (scope.isThere(name)) {
            return Rewrite.asIs();
        }
        if (name.isEmpty()) {
            return Rewrite.refused("CREATE SCHEMA without a name", "Write CREATE SCHEMA and the name.");
        }
        if (tree.has("authrole") && !scope.isOwner(tree.get("authrole"))) {
            return Rewrite.refused(
                    "CREATE SCHEMA for another role",
                    "All schemas are the project's: leave AUTHORIZATION out, or write postgres.");
        }
        Optional<String> alias = scope.further(name);
        if (alias.isEmpty()) {
            return noName(name);
        }
        JsonNode elements = tree.path("schemaElts");
        Optional<List<String>> texts =
                elements.isEmpty() ? Optional.of(List.of()) : SchemaElements.of(statement.text(), elements);
        return texts.<Rewrite>map(list -> new Rewrite.Instead(
                        CREATE.bind(Map.of(
                                "alias", Literal.of(alias.get()),
                                "if_not_exists",
                                        Literal.of(tree.path("if_not_exists").asBoolean()),
                                "elements", array(list))),
                        "CREATE SCHEMA"))
                .orElseGet(() -> Rewrite.refused(
                        "CREATE SCHEMA with these elements", "Write each as a statement, behind CREATE SCHEMA."));
    }

    Rewrite drop(JsonNode tree) {
        List<String> aliases = new ArrayList<>();
        for (JsonNode object : tree.path("objects")) {
            String name = text(object);
            Optional<String> alias = scope.further(name);
            if (alias.isEmpty()) {
                return scope.isThere(name) ? Rewrite.asIs() : noName(name);
            }
            aliases.add(alias.get());
        }
        return new Rewrite.Instead(
                DROP.bind(Map.of(
                        "aliases", array(aliases),
                        "if_exists", Literal.of(tree.path("missing_ok").asBoolean()),
                        "cascade", Literal.of(tree.path("behavior").asText().equals("DROP_CASCADE")))),
                "DROP SCHEMA");
    }

    Rewrite rename(JsonNode tree) {
        String newName = tree.path("newname").asText();
        return scope.further(tree.path("subname").asText())
                .map(alias -> FurtherSchema.isName(newName)
                        ? new Rewrite.Instead(
                                RENAME.bind(Map.of("alias", Literal.of(alias), "new_alias", Literal.of(newName))),
                                "ALTER SCHEMA")
                        : noName(newName))
                .orElseGet(Rewrite::asIs);
    }

    Rewrite comment(JsonNode tree) {
        SqlFragment comment = tree.has("comment")
                ? SqlFragment.of(Literal.of(tree.get("comment").asText()))
                : SqlFragment.of("NULL");
        String name = text(tree.path("object"));
        return (scope.isOwnSchema(name) ? Optional.of("public") : scope.further(name))
                .<Rewrite>map(alias -> new Rewrite.Instead(
                        COMMENT.bind(Map.of("alias", Literal.of(alias), "comment", comment)), "COMMENT"))
                .orElseGet(Rewrite::asIs);
    }

    /** To the project's owner, which is no change. */
    Rewrite owner(JsonNode tree) {
        return scope.further(text(tree.path("object")))
                .filter(alias -> scope.isOwner(tree.path("newowner")))
                .<Rewrite>map(
                        alias -> new Rewrite.Instead(KEEP.bind(Map.of("alias", Literal.of(alias))), "ALTER SCHEMA"))
                .orElseGet(Rewrite::asIs);
    }

    Rewrite grant(JsonNode tree) {
        List<String> aliases = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (JsonNode object : tree.path("objects")) {
            String name = text(object);
            scope.further(name).ifPresentOrElse(aliases::add, () -> others.add(name));
        }
        if (aliases.isEmpty()) {
            return Rewrite.asIs();
        }
        boolean given = tree.path("is_grant").asBoolean();
        Set<String> privileges = privileges(tree);
        if (tree.path("grant_option").asBoolean() || !Set.of("usage", "create").containsAll(privileges)) {
            return Rewrite.refused("this grant on a schema", "Grant or revoke USAGE.");
        }
        if (!others.isEmpty()
                && !(given
                        && privileges.equals(Set.of("usage"))
                        && others.stream().allMatch(scope::isThere))) {
            return Rewrite.refused("a grant on schemas of different kinds", "Write it for each schema by itself.");
        }
        List<String> roles = new ArrayList<>();
        for (JsonNode grantee : tree.path("grantees")) {
            JsonNode spec = grantee.path("RoleSpec");
            Optional<String> role = scope.role(spec);
            if (role.isEmpty()) {
                return new Rewrite.Refused(
                        ProblemCode.SQL_FORBIDDEN_OBJECT,
                        "the role " + spec.path("rolename").asText(),
                        "A project's roles are anon, authenticated and service_role.");
            }
            if (role.get().equals("public") && given) {
                return Rewrite.refused(
                        "a grant on a schema to PUBLIC", "Name the roles: anon, authenticated, service_role.");
            }
            // The owner has all, PUBLIC never has any.
            if (!scope.isOwner(spec) && !role.get().equals("public")) {
                roles.add(role.get());
            }
        }
        if (given && privileges.equals(Set.of("create")) && !roles.isEmpty()) {
            return Rewrite.refused("a grant of CREATE on a schema", "Only the owner, postgres, runs DDL. Grant USAGE.");
        }
        boolean usage = privileges.isEmpty() || privileges.contains("usage");
        return new Rewrite.Instead(
                GRANT.bind(Map.of(
                        "aliases", array(aliases),
                        "roles", array(usage ? roles : List.of()),
                        "given", Literal.of(given))),
                given ? "GRANT" : "REVOKE");
    }

    /** Those that are named; none stands for all. */
    private static Set<String> privileges(JsonNode tree) {
        Set<String> named = new java.util.HashSet<>();
        tree.path("privileges")
                .forEach(one ->
                        named.add(one.path("AccessPriv").path("priv_name").asText()));
        return named;
    }

    private static Rewrite noName(String name) {
        return new Rewrite.Refused(ProblemCode.SQL_FORBIDDEN_OBJECT, "the schema " + name, NAME_HINT);
    }

    private static String text(JsonNode object) {
        return object.path("String").path("sval").asText();
    }

    private static SqlFragment array(List<String> texts) {
        return texts.isEmpty()
                ? SqlFragment.of("'{}'")
                : SqlFragment.of("ARRAY[")
                        .append(SqlFragment.join(
                                ", ", texts.stream().map(Literal::of).toList()))
                        .append("]");
    }
}

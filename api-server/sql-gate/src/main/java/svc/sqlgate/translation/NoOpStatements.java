package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import svc.database.shared.AllowedExtensions;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.platform.problem.ProblemCode;

/**
 * Statements that ask for what every project has: extensions, its schemas, its owner, the values of parameters that dumps
 * begin with.
 */
final class NoOpStatements {
    private static final SqlTemplate EXTENSION = SqlTemplate.of("CREATE EXTENSION IF NOT EXISTS :\"name\"");

    /** What the grammar's names of kinds of objects begin with. */
    private static final String OBJECT = "OBJECT_";

    private static final SqlTemplate REQUIRED = SqlTemplate.of("CALL svc_statements.require_extension(:'name')");

    private static final Set<String> OF_THE_PLATFORM = Set.of(
            "OBJECT_DATABASE",
            "OBJECT_EVENT_TRIGGER",
            "OBJECT_FDW",
            "OBJECT_FOREIGN_SERVER",
            "OBJECT_LANGUAGE",
            "OBJECT_LARGEOBJECT",
            "OBJECT_PUBLICATION",
            "OBJECT_SUBSCRIPTION",
            "OBJECT_TABLESPACE");

    /** Served by the platform itself, or as a view: there is nothing to install. */
    private static final Set<String> SERVED = Set.of("pg_graphql", "pg_stat_statements");

    private final ProjectScope scope;

    NoOpStatements(ProjectScope scope) {
        this.scope = scope;
    }

    Rewrite judge(String kind, JsonNode tree) {
        return switch (kind) {
            case "CreateExtensionStmt" -> extension(tree.path("extname").asText());
            case "AlterExtensionStmt", "AlterExtensionContentsStmt" -> alterExtension();
            case "AlterObjectSchemaStmt" -> moved(tree);
            case "CommentStmt" -> comment(tree);
            case "NotifyStmt" -> notify(tree);
            case "VariableSetStmt" -> setting(tree);
            case "SelectStmt" ->
                SettingsInForce.emptiesTheSearchPath(tree) ? new Rewrite.Nothing("SELECT 1") : Rewrite.asIs();
            case "GrantStmt" -> grant(tree);
            case "CreateSchemaStmt" -> createSchema(tree);
            case "AlterOwnerStmt" -> owner(tree);
            case "AlterTableStmt" -> ownerOfTable(tree);
            default -> Rewrite.asIs();
        };
    }

    /** Of one that is not there IF EXISTS asks for nothing. */
    static Rewrite dropExtension(JsonNode tree) {
        boolean absent = all(
                tree.path("objects"),
                object -> !isInstalled(object.path("String").path("sval").asText()));
        return absent && tree.path("missing_ok").asBoolean()
                ? new Rewrite.Nothing("DROP EXTENSION")
                : Rewrite.refused(
                        "DROP EXTENSION",
                        absent
                                ? "It is not there. Leave the statement out, or write IF EXISTS."
                                : "All projects of a database share its extensions. Leave the statement out.");
    }

    private static boolean isInstalled(String extension) {
        return AllowedExtensions.names().contains(extension)
                || AllowedExtensions.optional().contains(extension);
    }

    /** Not left out: the server says whether the extension is there, and CREATE of one that is does nothing. */
    private static Rewrite extension(String name) {
        if (AllowedExtensions.optional().contains(name)) {
            return new Rewrite.Instead(REQUIRED.bind(Map.of("name", Literal.of(name))), "CREATE EXTENSION");
        }
        if (SERVED.contains(name)) {
            return new Rewrite.Nothing("CREATE EXTENSION");
        }
        if (!AllowedExtensions.names().contains(name)) {
            String alternative =
                    StandIns.ofExtension(name).map(hint -> hint + " ").orElse("");
            return new Rewrite.Refused(
                    ProblemCode.SQL_FORBIDDEN_OBJECT,
                    "the extension " + name,
                    alternative + "Available are " + String.join(", ", AllowedExtensions.names()) + ".");
        }
        return new Rewrite.Instead(EXTENSION.bind(Map.of("name", Identifier.of(name))), "CREATE EXTENSION");
    }

    private static Rewrite alterExtension() {
        return Rewrite.refused(
                "ALTER EXTENSION", "The platform installs extensions into the schema extensions and updates them.");
    }

    private static Rewrite moved(JsonNode tree) {
        if (!tree.path("objectType").asText().equals("OBJECT_EXTENSION")) {
            return Rewrite.asIs();
        }
        return tree.path("newschema").asText().equals("extensions")
                ? new Rewrite.Nothing("ALTER EXTENSION")
                : alterExtension();
    }

    private Rewrite comment(JsonNode tree) {
        String name = tree.path("object").path("String").path("sval").asText();
        boolean known = switch (tree.path("objtype").asText()) {
            case "OBJECT_EXTENSION" -> isInstalled(name) || SERVED.contains(name);
            case "OBJECT_SCHEMA" -> scope.isThere(name);
            default -> false;
        };
        return known ? new Rewrite.Nothing("COMMENT") : Rewrite.asIs();
    }

    /** The caches of the schema follow every change by themselves. */
    private static Rewrite notify(JsonNode tree) {
        return tree.path("conditionname").asText().equals("pgrst") ? new Rewrite.Nothing("NOTIFY") : Rewrite.asIs();
    }

    /** A path to the main schema is that of the session's beginning, to which a script may return from another. */
    private Rewrite setting(JsonNode tree) {
        if (!SettingsInForce.changesNothing(tree, scope)) {
            return Rewrite.asIs();
        }
        String tag = tree.path("kind").asText().startsWith("VAR_RESET") ? "RESET" : "SET";
        return SettingsInForce.isSearchPath(tree)
                ? new Rewrite.Instead(SqlFragment.of("RESET search_path"), tag)
                : new Rewrite.Nothing(tag);
    }

    private Rewrite createSchema(JsonNode tree) {
        boolean there = tree.path("if_not_exists").asBoolean()
                && tree.path("schemaElts").isEmpty()
                && scope.isThere(tree.path("schemaname").asText());
        return there ? new Rewrite.Nothing("CREATE SCHEMA") : Rewrite.asIs();
    }

    /** USAGE for a project's roles, everything for its owner, nothing for PUBLIC: so it is from the beginning. */
    private Rewrite grant(JsonNode tree) {
        if (tree.path("objtype").asText().equals("OBJECT_DATABASE")) {
            return grantOnDatabase(tree);
        }
        if (!tree.path("objtype").asText().equals("OBJECT_SCHEMA")
                || tree.path("grant_option").asBoolean()
                || !all(
                        tree.path("objects"),
                        schema ->
                                scope.isThere(schema.path("String").path("sval").asText()))) {
            return Rewrite.asIs();
        }
        JsonNode grantees = tree.path("grantees");
        if (!tree.path("is_grant").asBoolean()) {
            boolean fromAll = all(
                    grantees,
                    role -> role.path("RoleSpec").path("roletype").asText().equals("ROLESPEC_PUBLIC"));
            return fromAll || only(tree, Set.of("create")) ? new Rewrite.Nothing("REVOKE") : Rewrite.asIs();
        }
        boolean usage = tree.path("privileges").size() == 1
                && tree.at("/privileges/0/AccessPriv/priv_name").asText().equals("usage");
        boolean holds = all(grantees, role -> {
            JsonNode spec = role.path("RoleSpec");
            return scope.isOwner(spec)
                    || usage
                            && scope.role(spec)
                                    .filter(name -> !name.equals("public"))
                                    .isPresent();
        });
        return holds ? new Rewrite.Nothing("GRANT") : Rewrite.asIs();
    }

    /** That of the connection string. Who connects is the platform's to say; no right on it changes here. */
    private Rewrite grantOnDatabase(JsonNode tree) {
        boolean known = all(
                        tree.path("objects"),
                        name -> name.path("String").path("sval").asText().equals("postgres"))
                && all(
                        tree.path("grantees"),
                        role -> scope.role(role.path("RoleSpec")).isPresent());
        boolean taken = !tree.path("is_grant").asBoolean();
        return known && (taken || only(tree, Set.of("connect", "temp", "temporary")))
                ? new Rewrite.Nothing(taken ? "REVOKE" : "GRANT")
                : Rewrite.asIs();
    }

    private static boolean only(JsonNode tree, Set<String> privileges) {
        return all(
                tree.path("privileges"),
                privilege -> privileges.contains(
                        privilege.path("AccessPriv").path("priv_name").asText()));
    }

    private Rewrite owner(JsonNode tree) {
        String type = tree.path("objectType").asText();
        if (type.equals("OBJECT_PUBLICATION")
                && scope.isOwner(tree.path("newowner"))
                && PublicationStatements.isOurs(
                        tree.path("object").path("String").path("sval").asText())) {
            return new Rewrite.Nothing("ALTER PUBLICATION");
        }
        boolean own = scope.isOwner(tree.path("newowner"))
                || type.equals("OBJECT_SCHEMA")
                        && tree.path("newowner").path("rolename").asText().equals("pg_database_owner");
        boolean schemaOfOurs = !type.equals("OBJECT_SCHEMA")
                || scope.isThere(tree.path("object").path("String").path("sval").asText());
        return own && schemaOfOurs && !OF_THE_PLATFORM.contains(type)
                ? new Rewrite.Nothing("ALTER " + words(type))
                : Rewrite.asIs();
    }

    private Rewrite ownerOfTable(JsonNode tree) {
        boolean onlyOwner = all(tree.path("cmds"), command -> {
            JsonNode change = command.path("AlterTableCmd");
            return change.path("subtype").asText().equals("AT_ChangeOwner") && scope.isOwner(change.path("newowner"));
        });
        return onlyOwner
                ? new Rewrite.Nothing("ALTER " + words(tree.path("objtype").asText()))
                : Rewrite.asIs();
    }

    private static boolean all(JsonNode nodes, java.util.function.Predicate<JsonNode> holds) {
        for (JsonNode node : nodes) {
            if (!holds.test(node)) {
                return false;
            }
        }
        return !nodes.isEmpty();
    }

    private static String words(String objectType) {
        return objectType
                .substring(objectType.startsWith(OBJECT) ? OBJECT.length() : 0)
                .replace("MATVIEW", "MATERIALIZED VIEW")
                .replace('_', ' ');
    }
}

package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import svc.database.shared.AllowedExtensions;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.platform.problem.ProblemCode;

/**
 * Statements that ask for what every project has: extensions, its schemas, its owner, the values of parameters that dumps
 * begin with.
 */
final class DoneAlready {
    private static final SqlTemplate EXTENSION = SqlTemplate.of("CREATE EXTENSION IF NOT EXISTS :\"name\"");

    private static final SqlTemplate REFRESH = SqlTemplate.of("REFRESH MATERIALIZED VIEW :{view}");

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

    private final ProjectScope scope;

    DoneAlready(ProjectScope scope) {
        this.scope = scope;
    }

    Treatment judge(String kind, JsonNode tree) {
        return switch (kind) {
            case "CreateExtensionStmt" -> extension(tree.path("extname").asText());
            case "AlterExtensionStmt", "AlterExtensionContentsStmt" -> alterExtension();
            case "AlterObjectSchemaStmt" -> moved(tree);
            case "CommentStmt" -> comment(tree);
            case "NotifyStmt" -> notify(tree);
            case "RefreshMatViewStmt" -> refresh(tree);
            case "VariableSetStmt" ->
                SettingsInForce.changesNothing(tree, scope) ? new Treatment.Nothing("SET") : Treatment.asIs();
            case "SelectStmt" ->
                SettingsInForce.emptiesTheSearchPath(tree) ? new Treatment.Nothing("SELECT 1") : Treatment.asIs();
            case "GrantStmt" -> grant(tree);
            case "CreateSchemaStmt" -> createSchema(tree);
            case "AlterOwnerStmt" -> owner(tree);
            case "AlterTableStmt" -> ownerOfTable(tree);
            default -> Treatment.asIs();
        };
    }

    static Treatment dropExtension() {
        return Treatment.refused(
                "DROP EXTENSION", "All projects of a database share its extensions. Leave the statement out.");
    }

    /** Not left out: the server says whether the extension is there, and CREATE of one that is does nothing. */
    private static Treatment extension(String name) {
        if (!AllowedExtensions.names().contains(name)) {
            return new Treatment.Refused(
                    ProblemCode.SQL_FORBIDDEN_OBJECT,
                    "the extension " + name,
                    "Available are " + String.join(", ", AllowedExtensions.names()) + ".");
        }
        return new Treatment.Instead(EXTENSION.bind(Map.of("name", Identifier.of(name))), "CREATE EXTENSION");
    }

    private static Treatment alterExtension() {
        return Treatment.refused(
                "ALTER EXTENSION", "The platform installs extensions into the schema extensions and updates them.");
    }

    private static Treatment moved(JsonNode tree) {
        if (!tree.path("objectType").asText().equals("OBJECT_EXTENSION")) {
            return Treatment.asIs();
        }
        return tree.path("newschema").asText().equals("extensions")
                ? new Treatment.Nothing("ALTER EXTENSION")
                : alterExtension();
    }

    private Treatment comment(JsonNode tree) {
        String name = tree.path("object").path("String").path("sval").asText();
        boolean known = switch (tree.path("objtype").asText()) {
            case "OBJECT_EXTENSION" -> AllowedExtensions.names().contains(name);
            case "OBJECT_SCHEMA" -> scope.isThere(name);
            default -> false;
        };
        return known ? new Treatment.Nothing("COMMENT") : Treatment.asIs();
    }

    /** The caches of the schema follow every change by themselves. */
    private static Treatment notify(JsonNode tree) {
        return tree.path("conditionname").asText().equals("pgrst") ? new Treatment.Nothing("NOTIFY") : Treatment.asIs();
    }

    /** CONCURRENTLY makes a temporary table, which no project may: readers wait instead. */
    private static Treatment refresh(JsonNode tree) {
        JsonNode view = tree.path("relation");
        if (!tree.path("concurrent").asBoolean() || tree.path("skipData").asBoolean()) {
            return Treatment.asIs();
        }
        Identifier relation = Identifier.of(view.path("relname").asText());
        SqlFragment name = view.has("schemaname")
                ? SqlFragment.of(Identifier.of(view.get("schemaname").asText()))
                        .append(".")
                        .append(relation)
                : SqlFragment.of(relation);
        return new Treatment.Instead(REFRESH.bind(Map.of("view", name)), "REFRESH MATERIALIZED VIEW");
    }

    private Treatment createSchema(JsonNode tree) {
        boolean there = tree.path("if_not_exists").asBoolean()
                && tree.path("schemaElts").isEmpty()
                && scope.isThere(tree.path("schemaname").asText());
        return there ? new Treatment.Nothing("CREATE SCHEMA") : Treatment.asIs();
    }

    /** USAGE for a project's roles, everything for its owner, nothing for PUBLIC: so it is from the beginning. */
    private Treatment grant(JsonNode tree) {
        if (!tree.path("objtype").asText().equals("OBJECT_SCHEMA")
                || tree.path("grant_option").asBoolean()
                || !all(
                        tree.path("objects"),
                        schema ->
                                scope.isThere(schema.path("String").path("sval").asText()))) {
            return Treatment.asIs();
        }
        JsonNode grantees = tree.path("grantees");
        if (!tree.path("is_grant").asBoolean()) {
            boolean fromAll = all(
                    grantees,
                    role -> role.path("RoleSpec").path("roletype").asText().equals("ROLESPEC_PUBLIC"));
            return fromAll ? new Treatment.Nothing("REVOKE") : Treatment.asIs();
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
        return holds ? new Treatment.Nothing("GRANT") : Treatment.asIs();
    }

    private Treatment owner(JsonNode tree) {
        String type = tree.path("objectType").asText();
        boolean own = scope.isOwner(tree.path("newowner"))
                || type.equals("OBJECT_SCHEMA")
                        && tree.path("newowner").path("rolename").asText().equals("pg_database_owner");
        boolean schemaOfOurs = !type.equals("OBJECT_SCHEMA")
                || scope.isThere(tree.path("object").path("String").path("sval").asText());
        return own && schemaOfOurs && !OF_THE_PLATFORM.contains(type)
                ? new Treatment.Nothing("ALTER " + words(type))
                : Treatment.asIs();
    }

    private Treatment ownerOfTable(JsonNode tree) {
        boolean onlyOwner = all(tree.path("cmds"), command -> {
            JsonNode change = command.path("AlterTableCmd");
            return change.path("subtype").asText().equals("AT_ChangeOwner") && scope.isOwner(change.path("newowner"));
        });
        return onlyOwner
                ? new Treatment.Nothing("ALTER " + words(tree.path("objtype").asText()))
                : Treatment.asIs();
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
                .replaceFirst("^OBJECT_", "")
                .replace("MATVIEW", "MATERIALIZED VIEW")
                .replace('_', ' ');
    }
}

package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import svc.database.sql.SqlFragment;

/**
 * Statements that ask for what every project has: extensions, its schemas, its owner, the values of parameters that dumps
 * begin with.
 */
final class NoOpStatements {
    /** What the grammar's names of kinds of objects begin with. */
    private static final String OBJECT = "OBJECT_";

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

    NoOpStatements(ProjectScope scope) {
        this.scope = scope;
    }

    Rewrite judge(String kind, JsonNode tree) {
        return switch (kind) {
            case "CreateExtensionStmt" -> ExtensionStatements.create(tree);
            case "AlterExtensionStmt", "AlterExtensionContentsStmt" -> ExtensionStatements.alter(tree);
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

    private static Rewrite moved(JsonNode tree) {
        if (!tree.path("objectType").asText().equals("OBJECT_EXTENSION")) {
            return Rewrite.asIs();
        }
        return ExtensionStatements.moved(tree);
    }

    private Rewrite comment(JsonNode tree) {
        String name = tree.path("object").path("String").path("sval").asText();
        boolean known = switch (tree.path("objtype").asText()) {
            case "OBJECT_EXTENSION" -> ExtensionStatements.isThere(name);
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
        boolean toOwner = all(tree.path("grantees"), role -> scope.isOwner(role.path("RoleSpec")));
        if (ExtensionStatements.isGrantOfFunctions(tree) || (toOwner && ExtensionStatements.isGrantOfAll(tree))) {
            return new Rewrite.Nothing("GRANT");
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

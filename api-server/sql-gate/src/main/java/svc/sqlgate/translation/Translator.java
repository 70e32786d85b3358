package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import svc.database.name.ProjectNames;
import svc.sqlgate.parser.Statement;
import svc.sqlgate.translation.CompanionTables.Member;

/** Decides of each statement of one project's script whether it is sent as it stands. */
public final class Translator {
    private final CompanionTables tables;
    private final PolicyStatements policies;
    private final PublicationStatements publications;
    private final NoOpStatements done;
    private final SchemaStatements schemas;
    private final RoleSettings settings;
    private final boolean adopted;

    public Translator(ProjectNames names) {
        this(names, false);
    }

    /** Of an adopted database: nothing there is the platform's, so everything is sent as it stands. */
    public static Translator none(ProjectNames names) {
        return new Translator(names, true);
    }

    private Translator(ProjectNames names, boolean adopted) {
        var scope = new ProjectScope(names);
        this.adopted = adopted;
        this.tables = new CompanionTables(scope);
        this.policies = new PolicyStatements(scope, tables);
        this.publications = new PublicationStatements(scope);
        this.done = new NoOpStatements(scope);
        this.schemas = new SchemaStatements(scope);
        this.settings = new RoleSettings(scope, names);
    }

    /** Of a statement that stands directly in a body in PL/pgSQL. */
    public Rewrite ofBody(Statement statement) {
        return !adopted && statement.kind().equals("CreateExtensionStmt")
                ? ExtensionStatements.createInBody(statement.tree())
                : of(statement);
    }

    /** Of a statement of the script, or of one in other text inside of it. */
    public Rewrite of(Statement statement) {
        JsonNode tree = statement.tree();
        if (adopted) {
            // Migrations of PostgREST end with one; the platform itself tells of what they change.
            return statement.kind().equals("NotifyStmt") ? done.judge("NotifyStmt", tree) : Rewrite.asIs();
        }
        return switch (statement.kind()) {
            case "CreatePolicyStmt", "AlterPolicyStmt" -> policies.written(statement);
            case "RenameStmt" -> rename(tree);
            case "DropStmt" -> drop(tree);
            case "CommentStmt" -> comment(tree);
            case "AlterTableStmt" -> alterTable(tree);
            case "CreatePublicationStmt" -> publications.create(tree);
            case "AlterPublicationStmt" -> publications.alter(tree);
            case "AlterRoleSetStmt" -> settings.ofRole(tree);
            case "AlterDatabaseSetStmt" -> settings.ofDatabase(tree);
            case "CreateSchemaStmt" -> otherwiseDone(schemas.create(statement), statement);
            case "GrantStmt" ->
                isOnSchema(tree, "objtype")
                        ? otherwiseDone(schemas.grant(tree), statement)
                        : done.judge("GrantStmt", tree);
            case "AlterOwnerStmt" ->
                isOnSchema(tree, "objectType")
                        ? otherwiseDone(schemas.owner(tree), statement)
                        : done.judge("AlterOwnerStmt", tree);
            default -> done.judge(statement.kind(), tree);
        };
    }

    /** What a schema needs that every project has. */
    private Rewrite otherwiseDone(Rewrite ofFurther, Statement statement) {
        return ofFurther instanceof Rewrite.AsIs ? done.judge(statement.kind(), statement.tree()) : ofFurther;
    }

    private static boolean isOnSchema(JsonNode tree, String field) {
        return tree.path(field).asText().equals("OBJECT_SCHEMA");
    }

    private Rewrite rename(JsonNode tree) {
        return switch (tree.path("renameType").asText()) {
            case "OBJECT_POLICY" -> tables.renamed(Member.POLICY, tree);
            case "OBJECT_TRIGGER" -> tables.renamed(Member.TRIGGER, tree);
            case "OBJECT_PUBLICATION" -> PublicationStatements.fixed("a new name for a publication");
            case "OBJECT_SCHEMA" -> schemas.rename(tree);
            default -> Rewrite.asIs();
        };
    }

    private Rewrite drop(JsonNode tree) {
        return switch (tree.path("removeType").asText()) {
            case "OBJECT_POLICY" -> tables.dropped(Member.POLICY, tree);
            case "OBJECT_TRIGGER" -> tables.dropped(Member.TRIGGER, tree);
            case "OBJECT_PUBLICATION" -> publications.dropped(tree);
            case "OBJECT_EXTENSION" -> ExtensionStatements.drop(tree);
            case "OBJECT_SCHEMA" -> schemas.drop(tree);
            default -> Rewrite.asIs();
        };
    }

    private Rewrite comment(JsonNode tree) {
        return switch (tree.path("objtype").asText()) {
            case "OBJECT_POLICY" -> tables.comment(Member.POLICY, tree);
            case "OBJECT_TRIGGER" -> tables.comment(Member.TRIGGER, tree);
            case "OBJECT_SCHEMA" ->
                schemas.comment(tree) instanceof Rewrite.Instead comment ? comment : done.judge("CommentStmt", tree);
            default -> done.judge("CommentStmt", tree);
        };
    }

    private Rewrite alterTable(JsonNode tree) {
        return tables.of(tree.path("relation"))
                .map(table -> TriggerStatements.altered(table, tree))
                .orElseGet(() -> done.judge("AlterTableStmt", tree));
    }
}

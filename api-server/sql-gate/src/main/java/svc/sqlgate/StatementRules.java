package svc.sqlgate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;

/**
 * The allow-list of statements. A kind that is not named here is refused, so one that a later PostgreSQL brings is
 * refused as well.
 */
final class StatementRules {
    /** What the grammar's names of kinds of objects begin with. */
    private static final String OBJECT = "OBJECT_";

    /** Allowed as they are, once every node in them is. */
    private static final Set<String> PLAIN = Set.of(
            "SelectStmt",
            "InsertStmt",
            "UpdateStmt",
            "DeleteStmt",
            "MergeStmt",
            "TruncateStmt",
            "LockStmt",
            "CallStmt",
            "ExplainStmt",
            "VariableShowStmt",
            "ConstraintsSetStmt",
            "FetchStmt",
            "ClosePortalStmt",
            "CreateTableAsStmt",
            "RefreshMatViewStmt",
            "ViewStmt",
            "CreateSeqStmt",
            "AlterSeqStmt",
            "CreateEnumStmt",
            "AlterEnumStmt",
            "CompositeTypeStmt",
            "CreateRangeStmt",
            "CreateDomainStmt",
            "AlterDomainStmt",
            "CreateStatsStmt",
            "AlterStatsStmt",
            "CreateTrigStmt",
            "AlterTSDictionaryStmt",
            "CreatePolicyStmt",
            "AlterPolicyStmt",
            "AlterFunctionStmt");

    /** Kinds of objects that DROP, COMMENT and RENAME may name. */
    private static final Set<String> OBJECTS = Set.of(
            "OBJECT_TABLE",
            "OBJECT_COLUMN",
            "OBJECT_VIEW",
            "OBJECT_MATVIEW",
            "OBJECT_INDEX",
            "OBJECT_SEQUENCE",
            "OBJECT_TYPE",
            "OBJECT_ATTRIBUTE",
            "OBJECT_DOMAIN",
            "OBJECT_DOMCONSTRAINT",
            "OBJECT_TABCONSTRAINT",
            "OBJECT_FUNCTION",
            "OBJECT_PROCEDURE",
            "OBJECT_ROUTINE",
            "OBJECT_AGGREGATE",
            "OBJECT_TRIGGER",
            "OBJECT_POLICY",
            "OBJECT_RULE",
            "OBJECT_STATISTIC_EXT",
            "OBJECT_COLLATION",
            "OBJECT_TSCONFIGURATION",
            "OBJECT_TSDICTIONARY");

    /** Kinds of objects that CREATE may define by a list of parameters; operators would be looked up by the platform's own queries too. */
    private static final Set<String> DEFINABLE =
            Set.of("OBJECT_AGGREGATE", "OBJECT_COLLATION", "OBJECT_TSCONFIGURATION", "OBJECT_TSDICTIONARY");

    private static final Set<String> GRANTABLE = Set.of(
            "OBJECT_TABLE",
            "OBJECT_SEQUENCE",
            "OBJECT_FUNCTION",
            "OBJECT_PROCEDURE",
            "OBJECT_ROUTINE",
            "OBJECT_TYPE",
            "OBJECT_DOMAIN");

    private static final String REVOKED =
            "USAGE of the schema stays, and gives nothing by itself. Close what is in it: REVOKE ALL ON"
                    + " ALL TABLES IN SCHEMA public FROM anon; the same for FUNCTIONS and SEQUENCES; ALTER DEFAULT PRIVILEGES IN SCHEMA"
                    + " public REVOKE ALL ON TABLES FROM anon; for what comes later.";

    private static final Set<String> CLOSED_TABLE_CHANGES =
            Set.of("AT_ChangeOwner", "AT_SetTableSpace", "AT_SetAccessMethod");

    /** CURSOR_OPT_BINARY and CURSOR_OPT_HOLD of PostgreSQL's parsenodes.h. */
    private static final int BINARY_CURSOR = 0x1;

    private static final int HELD_CURSOR = 0x20;

    private final GateScope scope;

    StatementRules(GateScope scope) {
        this.scope = scope;
    }

    Optional<Finding> judge(String kind, JsonNode tree) {
        Optional<Finding> reserved = ReservedName.judge(kind, tree);
        if (reserved.isPresent() || PLAIN.contains(kind)) {
            return reserved;
        }
        return switch (kind) {
            case "CreateStmt" -> tablespace(tree, "tablespacename");
            case "IndexStmt" -> tablespace(tree, "tableSpace");
            case "AlterTableStmt" -> alterTable(tree);
            case "AlterObjectSchemaStmt" ->
                scope.isOwn(tree.path("newschema").asText())
                        ? altered(tree)
                        : scope.writableSchema(tree.path("newschema").asText())
                                .or(() -> Optional.of(
                                        Finding.object("a move to another schema", "Leave it where it is.")));
            case "DropStmt" -> drop(tree);
            case "CommentStmt" -> object(tree.path("objtype").asText(), tree.path("object"), "COMMENT ON");
            case "RenameStmt" -> object(tree.path("renameType").asText(), tree.path("object"), "a new name for");
            case "GrantStmt" -> grant(tree);
            case "AlterDefaultPrivilegesStmt" -> defaultPrivileges(tree);
            case "DefineStmt" -> define(tree);
            case "AlterTSConfigurationStmt" -> lists(tree.path("dicts"));
            case "CreateFunctionStmt" -> language(tree.path("options"), "CREATE FUNCTION");
            case "DoStmt" -> language(tree.path("args"), "DO");
            case "VariableSetStmt" ->
                SettingRules.setsSearchPath(tree) ? searchPath(tree.path("args")) : SettingRules.statement(tree, scope);
            case "VacuumStmt" ->
                tree.path("is_vacuumcmd").asBoolean() && tree.path("rels").isEmpty()
                        ? Optional.of(Finding.statement("VACUUM of everything", "Name the tables."))
                        : Optional.empty();
            case "ReindexStmt" -> reindex(tree);
            case "DeclareCursorStmt" -> cursor(tree);
            default -> Optional.of(ForbiddenStatements.of(kind));
        };
    }

    private Optional<Finding> alterTable(JsonNode tree) {
        if ("OBJECT_FOREIGN_TABLE".equals(tree.path("objtype").asText())) {
            return Optional.of(ForbiddenStatements.of("CreateForeignTableStmt"));
        }
        for (JsonNode command : tree.path("cmds")) {
            String subtype = command.path("AlterTableCmd").path("subtype").asText();
            if (CLOSED_TABLE_CHANGES.contains(subtype)) {
                return Optional.of(
                        "AT_ChangeOwner".equals(subtype)
                                ? ForbiddenStatements.of("AlterOwnerStmt")
                                : Finding.statement("a change of where a table is kept", "Leave it out."));
            }
        }
        return written(tree.path("relation"));
    }

    private Optional<Finding> written(JsonNode relation) {
        return relation.has("schemaname")
                ? scope.writableSchema(relation.get("schemaname").asText()).map(found -> found.at(relation))
                : Optional.empty();
    }

    /** The object of ALTER … SET SCHEMA and ALTER … OWNER TO. */
    Optional<Finding> altered(JsonNode tree) {
        JsonNode object = tree.path("object");
        return written(tree.path("relation"))
                .or(() -> QualifiedName.judge(object.path("ObjectWithArgs").path("objname"), scope))
                .or(() -> QualifiedName.ofObject(
                        tree.path("objectType").asText(), object.path("List").path("items"), scope));
    }

    private Optional<Finding> drop(JsonNode tree) {
        String type = tree.path("removeType").asText();
        if ("OBJECT_SCHEMA".equals(type)) {
            return Optional.of(
                    Finding.statement("DROP SCHEMA", "Every project has this schema. Drop the objects by name."));
        }
        for (JsonNode object : tree.path("objects")) {
            Optional<Finding> finding = object(type, object, "DROP");
            if (finding.isPresent()) {
                return finding;
            }
        }
        return Optional.empty();
    }

    private Optional<Finding> object(String type, JsonNode object, String verb) {
        if (!OBJECTS.contains(type)) {
            return Optional.of(Finding.statement(verb + " " + words(type), "It is not an object of a project."));
        }
        return QualifiedName.ofObject(type, object.path("List").path("items"), scope);
    }

    private Optional<Finding> grant(JsonNode tree) {
        String type = tree.path("objtype").asText();
        String target = tree.path("targtype").asText();
        if ("OBJECT_SCHEMA".equals(type)) {
            return schemas(tree.path("objects"))
                    .or(() -> Optional.of(
                            tree.path("is_grant").asBoolean()
                                    ? Finding.statement(
                                            "this grant on a schema",
                                            "The project's roles have USAGE already; the schema itself is the platform's.")
                                    : Finding.statement("this REVOKE on a schema", REVOKED)));
        }
        if (!GRANTABLE.contains(type)) {
            return Optional.of(Finding.statement("a grant on " + words(type), "It is not an object of a project."));
        }
        return "ACL_TARGET_ALL_IN_SCHEMA".equals(target) ? schemas(tree.path("objects")) : Optional.empty();
    }

    private Optional<Finding> defaultPrivileges(JsonNode tree) {
        for (JsonNode option : tree.path("options")) {
            JsonNode element = option.path("DefElem");
            if ("schemas".equals(element.path("defname").asText())) {
                return schemas(element.path("arg").path("List").path("items"));
            }
        }
        return Optional.empty();
    }

    private Optional<Finding> searchPath(JsonNode schemas) {
        for (JsonNode schema : schemas) {
            Optional<Finding> finding =
                    scope.searchedSchema(schema.at("/A_Const/sval/sval").asText());
            if (finding.isPresent()) {
                return finding;
            }
        }
        return Optional.empty();
    }

    private Optional<Finding> schemas(JsonNode names) {
        for (JsonNode name : names) {
            Optional<Finding> finding =
                    scope.writableSchema(name.path("String").path("sval").asText());
            if (finding.isPresent()) {
                return finding;
            }
        }
        return Optional.empty();
    }

    private Optional<Finding> define(JsonNode tree) {
        if (!DEFINABLE.contains(tree.path("kind").asText())) {
            return Optional.of(Finding.statement(
                    "CREATE " + words(tree.path("kind").asText()),
                    "Call the function by its name; a type of your own may be an enum, a domain or a composite."));
        }
        for (JsonNode part : tree.path("definition")) {
            // The functions of an aggregate are written as types are.
            JsonNode arg = part.path("DefElem").path("arg");
            Optional<Finding> finding = CalledFunctions.judge(
                            arg.path("TypeName").path("names"))
                    .or(() -> QualifiedName.judge(arg.path("List").path("items"), scope));
            if (finding.isPresent()) {
                return finding;
            }
        }
        return Optional.empty();
    }

    private Optional<Finding> lists(JsonNode names) {
        for (JsonNode name : names) {
            Optional<Finding> finding = QualifiedName.judge(name.path("List").path("items"), scope);
            if (finding.isPresent()) {
                return finding;
            }
        }
        return Optional.empty();
    }

    private static Optional<Finding> language(JsonNode options, String what) {
        return FunctionBody.language(options)
                .filter(language -> !FunctionBody.LANGUAGES.contains(language))
                .map(language ->
                        Finding.statement(what + " in the language " + language, "Write it in sql or plpgsql."));
    }

    private static Optional<Finding> reindex(JsonNode tree) {
        String kind = tree.path("kind").asText();
        JsonNode params = tree.path("params");
        boolean plain = params.isEmpty()
                || params.size() == 1
                        && params.at("/0/DefElem/defname").asText().equals("concurrently");
        return plain && Set.of("REINDEX_OBJECT_TABLE", "REINDEX_OBJECT_INDEX").contains(kind)
                ? Optional.empty()
                : Optional.of(
                        Finding.statement("this form of REINDEX", "REINDEX TABLE and REINDEX INDEX are allowed."));
    }

    /** A cursor lasts as long as the transaction of its script, and its rows travel as text. */
    private static Optional<Finding> cursor(JsonNode tree) {
        return (tree.path("options").asInt() & (BINARY_CURSOR | HELD_CURSOR)) == 0
                ? Optional.empty()
                : Optional.of(Finding.statement(
                        "a cursor that is BINARY or WITH HOLD", "Leave that out, and fetch in the same transaction."));
    }

    private static Optional<Finding> tablespace(JsonNode tree, String field) {
        // The one that every database has is where tables are kept anyway.
        return tree.has(field) && !tree.get(field).asText().equals("pg_default")
                ? Optional.of(Finding.statement("TABLESPACE", "Leave it out: where tables are kept is the platform's."))
                : Optional.empty();
    }

    private static String words(String objectType) {
        return objectType
                .substring(objectType.startsWith(OBJECT) ? OBJECT.length() : 0)
                .replace('_', ' ');
    }
}

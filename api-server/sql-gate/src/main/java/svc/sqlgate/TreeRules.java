package svc.sqlgate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.sqlgate.mapping.ComposedSql;

/**
 * The rules for every node of a tree, wherever it stands: schemas, databases, roles, called functions, and no statement
 * inside a statement that is not one of the few known to belong there. Nodes are recognised by the fields they have, because
 * the grammar leaves a node's name out where only one kind fits.
 */
final class TreeRules {
    private static final Set<String> INNER_STATEMENTS = Set.of(
            "SelectStmt",
            "InsertStmt",
            "UpdateStmt",
            "DeleteStmt",
            "MergeStmt",
            "ReturnStmt",
            "CreateTableAsStmt",
            "ReplicaIdentityStmt");

    private static final Set<String> WRITES = Set.of("InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt");

    private static final Set<String> NAMES = Set.of(
            "objname",
            "domainname",
            "defnames",
            "collname",
            "opclass",
            "name",
            "useOp",
            "operName",
            "cfgname",
            "dictname");

    /** Every field by which a rule tells a node, beside the names of statements. */
    private static final Set<String> TELLING = Stream.concat(
                    NAMES.stream(), Stream.of("relname", "roletype", "typemod", "funcname", "typeName"))
            .collect(Collectors.toUnmodifiableSet());

    private final GateScope scope;

    TreeRules(GateScope scope) {
        this.scope = scope;
    }

    /** A node and the nearest location above it. */
    private record Visit(JsonNode node, int location) {}

    /** The first finding in a statement; by a stack of its own, since trees may be deeper than ours. */
    Optional<Finding> judge(String kind, JsonNode tree) {
        if (WRITES.contains(kind) || CopyRules.writes(kind, tree)) {
            Optional<Finding> write = written(tree.path("relation"));
            if (write.isPresent()) {
                return write;
            }
        }
        Deque<Visit> open = new ArrayDeque<>();
        open.push(new Visit(tree, Finding.NOWHERE));
        while (!open.isEmpty()) {
            Visit visit = open.pop();
            int location = Math.max(visit.node().path("location").asInt(Finding.NOWHERE), Finding.NOWHERE);
            int nearest = location >= 0 ? location : visit.location();
            Optional<Finding> finding = judgeNode(visit.node()).map(found -> found.at(nearest));
            if (finding.isPresent()) {
                return finding;
            }
            for (JsonNode child : visit.node()) {
                if (child.isContainerNode()) {
                    open.push(new Visit(child, nearest));
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Finding> judgeNode(JsonNode node) {
        return node.isObject() && tells(node) ? judgeTelling(node) : Optional.empty();
    }

    /** Whether any field of a node is one that a rule looks for: most nodes only wrap another. */
    private static boolean tells(JsonNode node) {
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (TELLING.contains(field.getKey()) || field.getKey().endsWith("Stmt")) {
                return true;
            }
        }
        return false;
    }

    private Optional<Finding> judgeTelling(JsonNode node) {
        return relation(node)
                .or(() -> role(node))
                .or(() -> type(node))
                .or(() -> function(node))
                .or(() -> names(node))
                .or(() -> inner(node));
    }

    private Optional<Finding> relation(JsonNode node) {
        if (!node.has("relname")) {
            return Optional.empty();
        }
        if (node.has("catalogname")) {
            return Optional.of(Finding.object("a name with a database in it", "There is one database: leave it out."));
        }
        return node.has("schemaname") ? scope.schema(node.get("schemaname").asText()) : Optional.empty();
    }

    private Optional<Finding> role(JsonNode node) {
        return "ROLESPEC_CSTRING".equals(node.path("roletype").asText())
                ? scope.role(node.path("rolename").asText())
                : Optional.empty();
    }

    private Optional<Finding> type(JsonNode node) {
        if (!node.has("typemod") || !node.has("names")) {
            return Optional.empty();
        }
        return node.path("pct_type").asBoolean()
                ? QualifiedName.ofColumn(node.get("names"), scope)
                : QualifiedName.judge(node.get("names"), scope);
    }

    private Optional<Finding> function(JsonNode node) {
        JsonNode name = node.path("funcname");
        if (!name.isArray() || ComposedSql.isFunction(name)) {
            return Optional.empty();
        }
        Optional<Finding> schema = QualifiedName.judge(name, scope);
        // A definition may have any name: what it does is in its body.
        if (schema.isPresent() || node.has("options")) {
            return schema;
        }
        return switch (QualifiedName.last(name)) {
            case "set_config" -> SettingRules.call(node, scope);
            case "pg_notify" -> isReload(node) ? Optional.empty() : CalledFunctions.judge(name);
            default -> CalledFunctions.judge(name);
        };
    }

    /** The channel on which PostgREST receives schema reloads: no session listens, so the call is harmless. */
    private static boolean isReload(JsonNode call) {
        return call.at("/args/0/A_Const/sval/sval").asText().equals("pgrst");
    }

    private Optional<Finding> names(JsonNode node) {
        for (String field : NAMES) {
            if (node.path(field).isArray()) {
                Optional<Finding> finding = QualifiedName.judge(node.get(field), scope);
                if (finding.isPresent()) {
                    return finding;
                }
            }
        }
        // CREATE and ALTER TYPE … AS ENUM keep their name under the word that is a type's node elsewhere.
        return node.path("typeName").isArray() ? QualifiedName.judge(node.get("typeName"), scope) : Optional.empty();
    }

    /** Statements inside of statements: CTEs, EXPLAIN, CREATE TABLE AS, bodies in standard SQL, SET clauses. */
    private Optional<Finding> inner(JsonNode node) {
        if (node.size() != 1) {
            return Optional.empty();
        }
        Map.Entry<String, JsonNode> only = node.properties().iterator().next();
        String kind = only.getKey();
        if (!kind.endsWith("Stmt") || !Character.isUpperCase(kind.charAt(0))) {
            return Optional.empty();
        }
        if ("VariableSetStmt".equals(kind)) {
            return SettingRules.clause(only.getValue());
        }
        if (WRITES.contains(kind)) {
            return written(only.getValue().path("relation"));
        }
        return INNER_STATEMENTS.contains(kind) ? Optional.empty() : Optional.of(ForbiddenStatements.of(kind));
    }

    private Optional<Finding> written(JsonNode relation) {
        if (relation.has("schemaname")) {
            return scope.writableRows(
                            relation.get("schemaname").asText(),
                            relation.path("relname").asText())
                    .map(found -> found.at(relation));
        }
        return relation.path("relname").asText().startsWith("pg_")
                ? scope.writableSchema("pg_catalog").map(found -> found.at(relation))
                : Optional.empty();
    }
}

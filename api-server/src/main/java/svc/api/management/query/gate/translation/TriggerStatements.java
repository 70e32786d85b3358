package svc.api.management.query.gate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import svc.database.sql.Literal;
import svc.database.sql.SqlTemplate;

/**
 * A tenant's triggers on the platform's tables. It may make them by itself; to take one away PostgreSQL asks for the
 * table's owner.
 */
final class TriggerStatements {
    private static final SqlTemplate RENAME =
            SqlTemplate.of("CALL svc_statements.rename_trigger(:'relation', :'name', :'new_name')");
    private static final SqlTemplate DROP =
            SqlTemplate.of("CALL svc_statements.drop_trigger(:'relation', :'name', :'if_exists')");
    private static final SqlTemplate SWITCH =
            SqlTemplate.of("CALL svc_statements.switch_trigger(:'relation', :'name', :'enabled')");

    private final CompanionTables tables;

    TriggerStatements(CompanionTables tables) {
        this.tables = tables;
    }

    Treatment renamed(JsonNode tree) {
        return tables.of(tree.path("relation"))
                .<Treatment>map(table -> new Treatment.Instead(
                        RENAME.bind(Map.of(
                                "relation", Literal.of(table),
                                "name", Literal.of(tree.path("subname").asText()),
                                "new_name", Literal.of(tree.path("newname").asText()))),
                        "ALTER TRIGGER"))
                .orElseGet(Treatment::asIs);
    }

    Treatment dropped(JsonNode tree) {
        JsonNode parts = tree.path("objects").path(0).path("List").path("items");
        return tables.ofMember(parts)
                .<Treatment>map(table -> new Treatment.Instead(
                        DROP.bind(Map.of(
                                "relation", Literal.of(table),
                                "name", Literal.of(CompanionTables.last(parts)),
                                "if_exists", Literal.of(tree.path("missing_ok").asBoolean()))),
                        "DROP TRIGGER"))
                .orElseGet(Treatment::asIs);
    }

    /** ALTER TABLE of a platform's table: a trigger on or off, and row security, which is on. */
    Treatment altered(String table, JsonNode tree) {
        JsonNode command = tree.path("cmds").path(0).path("AlterTableCmd");
        String change = tree.path("cmds").size() == 1 ? command.path("subtype").asText() : "several";
        return switch (change) {
            case "AT_EnableRowSecurity" -> new Treatment.Nothing("ALTER TABLE");
            case "AT_EnableTrig", "AT_DisableTrig" ->
                new Treatment.Instead(
                        SWITCH.bind(Map.of(
                                "relation", Literal.of(table),
                                "name", Literal.of(command.path("name").asText()),
                                "enabled", Literal.of(change.equals("AT_EnableTrig")))),
                        "ALTER TABLE");
            default ->
                Treatment.refused(
                        "a change of the platform's table " + table,
                        "Its columns, keys and owner are the platform's. Keep your own data in a table that refers to it;"
                                + " policies and triggers may stand on it.");
        };
    }
}

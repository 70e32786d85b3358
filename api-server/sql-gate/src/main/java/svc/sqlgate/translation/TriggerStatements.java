package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import svc.database.sql.Literal;
import svc.database.sql.SqlTemplate;

/**
 * A tenant's triggers on the platform's tables. It may make them by itself; to take one away PostgreSQL asks for the
 * table's owner.
 */
final class TriggerStatements {
    private static final SqlTemplate SWITCH =
            SqlTemplate.of("CALL svc_statements.switch_trigger(:'relation', :'name', :'enabled')");

    private TriggerStatements() {}

    /** ALTER TABLE of a platform's table: a trigger on or off, and row security, which is on. */
    static Rewrite altered(String table, JsonNode tree) {
        JsonNode command = tree.path("cmds").path(0).path("AlterTableCmd");
        String change = tree.path("cmds").size() == 1 ? command.path("subtype").asText() : "several";
        return switch (change) {
            case "AT_EnableRowSecurity" -> new Rewrite.Nothing("ALTER TABLE");
            case "AT_EnableTrig", "AT_DisableTrig" ->
                new Rewrite.Instead(
                        SWITCH.bind(Map.of(
                                "relation", Literal.of(table),
                                "name", Literal.of(command.path("name").asText()),
                                "enabled", Literal.of(change.equals("AT_EnableTrig")))),
                        "ALTER TABLE");
            default ->
                Rewrite.refused(
                        "a change of the platform's table " + table,
                        "Its columns, keys and owner are the platform's. Keep your own data in a table that refers to it;"
                                + " policies and triggers may stand on it.");
        };
    }
}

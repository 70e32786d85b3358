package svc.api.management.query.gate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import svc.api.sandbox.Statement;

/**
 * A statement with everything in it that is SQL itself.
 *
 * @param blocks PL/pgSQL blocks of its body
 * @param embedded the statements and expressions of its body, read in the same way
 */
record ReadStatement(Statement statement, List<JsonNode> blocks, List<ReadStatement> embedded) {
    ReadStatement {
        blocks = List.copyOf(blocks);
        embedded = List.copyOf(embedded);
    }
}

package svc.graphql.request;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;

/**
 * A request: one operation of a document.
 *
 * @param query the document
 * @param operationName the operation; needed when the document has several
 * @param variables by name, without the dollar sign
 * @param readOnly whether it may only read, because its method is GET
 */
public record GraphqlRequest(
        String query, Optional<String> operationName, Map<String, JsonNode> variables, boolean readOnly) {
    public GraphqlRequest {
        variables = Map.copyOf(variables);
    }
}

package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** One keyword of a schema, compiled. Runs only on values of the declared type. */
@FunctionalInterface
interface ValueCheck {

    void check(JsonNode value, String path, List<Violation> found);
}

package svc.embedded.kubernetes.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * The outcome of a write.
 *
 * @param object the object now, in its stored form
 * @param warnings what the writer should know although it succeeded
 */
public record Written(ObjectNode object, boolean created, List<String> warnings) {}

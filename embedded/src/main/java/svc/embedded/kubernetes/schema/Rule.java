package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One entry of {@code x-kubernetes-validations}, compiled.
 *
 * @param declaration the entry as the definition has it
 * @param readsOldSelf whether the rule compares with the stored object; it then runs on updates only, unless {@code
 *     oldSelfIsOptional}
 */
record Rule(
        JsonNode declaration,
        CelRuntime.Program program,
        Optional<CelRuntime.Program> messageProgram,
        boolean readsOldSelf,
        boolean oldSelfIsOptional) {

    boolean runsFor(Optional<Object> old, boolean unchanged) {
        if (readsOldSelf) {
            return oldSelfIsOptional || old.isPresent();
        }
        return !unchanged;
    }

    void evaluate(Object self, Optional<Object> old, String typeName, String path, List<Violation> found) {
        Map<String, Object> variables = new HashMap<>();
        variables.put("self", self);
        if (oldSelfIsOptional) {
            variables.put("oldSelf", old);
        } else {
            old.ifPresent(value -> variables.put("oldSelf", value));
        }
        try {
            if (!Boolean.TRUE.equals(program.eval(variables))) {
                found.add(refusal(message(variables), typeName, path));
            }
        } catch (CelEvaluationException e) {
            String detail = "rule evaluation error: " + e.getMessage() + " evaluating rule: " + source();
            found.add(new Violation(path, "Invalid value: \"" + typeName + "\": " + detail, Violation.INVALID));
        }
    }

    private Violation refusal(String message, String typeName, String rulePath) {
        String path = rulePath + declaration.path("fieldPath").asText("");
        String reason = declaration.path("reason").asText(Violation.INVALID);
        String worded = switch (reason) {
            case Violation.FORBIDDEN -> "Forbidden: " + message;
            case Violation.REQUIRED -> "Required value: " + message;
            case Violation.DUPLICATE -> "Duplicate value: \"" + typeName + "\"";
            default -> "Invalid value: \"" + typeName + "\": " + message;
        };
        return new Violation(path.startsWith(".") ? path.substring(1) : path, worded, reason);
    }

    /** A message expression that fails falls back to the fixed message, as in Kubernetes. */
    private String message(Map<String, Object> variables) {
        if (messageProgram.isPresent()) {
            try {
                Object computed = messageProgram.get().eval(variables);
                if (computed instanceof String text && !text.isBlank()) {
                    return text;
                }
            } catch (CelEvaluationException e) {
                return fixedMessage();
            }
        }
        return fixedMessage();
    }

    private String fixedMessage() {
        return declaration.path("message").asText("failed rule: " + source());
    }

    private String source() {
        return declaration.path("rule").asText();
    }
}

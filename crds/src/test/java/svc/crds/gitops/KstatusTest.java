package svc.crds.gitops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntimeFactory;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How tools that go by kstatus (Flux, kpt, cli-utils) read our kinds: the rules of its documentation for resources that it
 * does not know, in their order; and what Flux reads with the expressions of {@code config/flux}.
 */
class KstatusTest {
    private static final Path FLUX = Path.of("..", "config", "flux", "kustomization.yaml");

    @ParameterizedTest
    @CsvSource({
        // The one that needs the expressions: kstatus takes an object that says nothing for done.
        "NEW, Current",
        "FIRST_LOOK, InProgress",
        "READY, Current",
        "CHANGED, InProgress",
        "TROUBLED, InProgress",
        "STALLED, Failed",
        "MENDED, InProgress",
        "PAUSED, InProgress",
        "SUSPENDED, Current",
        "BUNDLE_PENDING, InProgress",
        "BUNDLE_FAILED, Failed",
        "PROJECT_AWAITED, InProgress",
        "DELETED, Terminating"
    })
    void isReadByTheRules(Shapes shape, String expected) {
        assertThat(status(shape.object())).isEqualTo(expected);
    }

    private static String status(JsonNode object) {
        if (object.at("/metadata").has("deletionTimestamp")) {
            return "Terminating";
        }
        JsonNode observed = object.at("/status/observedGeneration");
        if (!observed.isMissingNode()
                && observed.asLong() != object.at("/metadata/generation").asLong()) {
            return "InProgress";
        }
        if (condition(object, "Reconciling").filter("True"::equals).isPresent()) {
            return "InProgress";
        }
        if (condition(object, "Stalled").filter("True"::equals).isPresent()) {
            return "Failed";
        }
        return condition(object, "Ready")
                .map(ready -> ready.equals("True") ? "Current" : "InProgress")
                .orElse("Current");
    }

    private static Optional<String> condition(JsonNode object, String type) {
        for (JsonNode condition : object.at("/status/conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return Optional.of(condition.path("status").asText());
            }
        }
        return Optional.empty();
    }

    @ParameterizedTest
    @CsvSource({
        "FIRST_LOOK, InProgress",
        "READY, Current",
        "CHANGED, InProgress",
        "TROUBLED, InProgress",
        "STALLED, Failed",
        "MENDED, InProgress",
        "PAUSED, InProgress",
        "SUSPENDED, Current",
        "BUNDLE_PENDING, InProgress",
        "BUNDLE_FAILED, Failed",
        "PROJECT_AWAITED, InProgress",
        "PROJECT_SUSPENDED, Current",
        "FUNCTIONS_DISABLED, Current"
    })
    void isReadByTheExpressionsOfTheSample(Shapes shape, String expected) throws Exception {
        Map<?, ?> sample = new KubernetesSerialization().unmarshal(Files.readString(FLUX), Map.class);
        List<?> checks = (List<?>) ((Map<?, ?>) sample.get("spec")).get("healthCheckExprs");
        assertThat(checks).hasSize(3);
        assertThat(checks.stream()
                        .map(check -> String.valueOf(((Map<?, ?>) check).get("kind")))
                        .toList())
                .containsExactly("Project", "EdgeFunction", "FunctionSecret");
        for (Object check : checks) {
            Map<?, ?> expressions = (Map<?, ?>) check;

            // In this order, as Flux has it.
            String read = holds(expressions.get("inProgress"), shape)
                    ? "InProgress"
                    : holds(expressions.get("failed"), shape)
                            ? "Failed"
                            : holds(expressions.get("current"), shape) ? "Current" : "InProgress";

            assertThat(read).as("%s", expressions.get("kind")).isEqualTo(expected);
        }
    }

    private static boolean holds(Object expression, Shapes shape) throws Exception {
        if (expression == null) {
            return false;
        }
        var compiler = CelCompilerFactory.standardCelCompilerBuilder()
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addVar("status", SimpleType.DYN)
                .addVar("metadata", SimpleType.DYN)
                .build();
        var program = CelRuntimeFactory.standardCelRuntimeBuilder()
                .build()
                .createProgram(compiler.compile((String) expression).getAst());
        return (Boolean) program.eval(values(shape.map()));
    }

    /** CEL counts in longs. */
    private static Map<String, Object> values(Map<?, ?> map) {
        Map<String, Object> values = new HashMap<>();
        map.forEach((key, value) -> values.put(
                (String) key,
                value instanceof Map<?, ?> inner
                        ? values(inner)
                        : value instanceof Integer number ? Long.valueOf(number) : value));
        return values;
    }
}

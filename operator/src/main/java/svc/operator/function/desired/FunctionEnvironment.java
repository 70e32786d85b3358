package svc.operator.function.desired;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import svc.database.key.KeyVariables;
import svc.database.key.RuntimeToken;
import svc.operator.function.variable.FunctionVariables;

/**
 * The variables of a function's process: the five of the project and their aliases (SPEC 2.6), those of {@link
 * KeyVariables}, the function's secrets, and the token with which the runtime authenticates to the platform, hidden from
 * the function's own code.
 *
 * <p>Secrets are passed under a prefix that the runtime strips. Without it a name chosen by a tenant would be set when the
 * container's program starts and could control its linker or Deno.
 *
 * @param variables by the name in the container
 * @param digest changes with any variable and reveals no value
 */
public record FunctionEnvironment(Map<String, String> variables, String digest) {
    /** The value of {@link svc.operator.kubernetes.Labels#PURPOSE} on the Secret. */
    public static final String PURPOSE = "function-environment";

    /** For the runtime; hidden from the function's code. */
    public static final String TOKEN = "SVC_RUNTIME_TOKEN";

    private static final String PREFIX = "SVC_";
    private static final String ALIAS = "SUPABASE_";

    public FunctionEnvironment {
        variables = Collections.unmodifiableMap(new TreeMap<>(variables));
    }

    /**
     * @param function name of the function, as callers use it
     * @param secrets the function's own
     */
    public static FunctionEnvironment of(ServedProject project, String function, Map<String, String> secrets) {
        Map<String, String> variables = new TreeMap<>();
        secrets.forEach((name, value) -> variables.put(FunctionVariables.CONTAINER_PREFIX + name, value));
        variables.putAll(project.access().variables());
        project.access()
                .variables()
                .forEach((name, value) -> variables.put(ALIAS + name.substring(PREFIX.length()), value));
        variables.putAll(KeyVariables.of(
                project.access().url(),
                project.access().anonKey(),
                project.access().serviceKey()));
        variables.put(TOKEN, RuntimeToken.of(project.runtime(), function));
        return new FunctionEnvironment(
                variables, RuntimeToken.valueDigest(project.runtime(), "environment", canonical(variables)));
    }

    /** The Secret that pods read with {@code envFrom}. */
    static Secret secret(DesiredFunction function) {
        Map<String, String> data = new TreeMap<>();
        function.environment().variables().forEach((name, value) -> data.put(name, base64(value)));
        return new SecretBuilder()
                .withMetadata(function.metadata(function.secretName(), PURPOSE))
                .editMetadata()
                .addToAnnotations(
                        DesiredFunction.ENVIRONMENT_HASH, function.environment().digest())
                .endMetadata()
                .withType("Opaque")
                .withData(data)
                .build();
    }

    /** Unambiguous, because it contains the lengths. */
    private static String canonical(Map<String, String> variables) {
        StringBuilder text = new StringBuilder();
        variables.forEach((name, value) ->
                text.append(name).append('=').append(value.length()).append(':').append(value));
        return text.toString();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Omits the values. */
    @Override
    public String toString() {
        return "FunctionEnvironment" + variables.keySet();
    }
}

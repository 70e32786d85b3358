package svc.operator.secret;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.crds.function.EdgeFunction;
import svc.operator.function.desired.DesiredFunction;
import svc.operator.function.status.Rollout;
import svc.operator.function.variable.FunctionVariables;
import svc.operator.kubernetes.Ownership;

/**
 * Whether a function's processes run with a value, as the caches have them. A cache that is behind says what was true a moment
 * ago; the event that brings it forward triggers another look.
 */
final class AppliedValue {
    private final SecretSources sources;

    AppliedValue(SecretSources sources) {
        this.sources = sources;
    }

    enum State {
        /** Every running process has it; new ones will have it. */
        APPLIED,
        ROLLING_OUT,
        /** No Deployment of the function exists. */
        NO_FUNCTION
    }

    /** @param functions with the name */
    State of(List<EdgeFunction> functions, String variable, String value) {
        return functions.stream()
                .map(function -> of(function, variable, value))
                .filter(state -> state != State.NO_FUNCTION)
                .findFirst()
                .orElse(State.NO_FUNCTION);
    }

    /**
     * Whether all functions with processes have the value.
     *
     * @param functions that get it
     */
    State ofAll(List<EdgeFunction> functions, String variable, String value) {
        List<State> states = functions.stream()
                .map(function -> of(function, variable, value))
                .filter(state -> state != State.NO_FUNCTION)
                .toList();
        if (states.isEmpty()) {
            return State.NO_FUNCTION;
        }
        return states.contains(State.ROLLING_OUT) ? State.ROLLING_OUT : State.APPLIED;
    }

    private State of(EdgeFunction function, String variable, String value) {
        Optional<Deployment> deployment =
                sources.deploymentOf(function).filter(found -> Ownership.isOwned(found, function));
        if (deployment.isEmpty()) {
            return State.NO_FUNCTION;
        }
        Secret environment = sources.environmentOf(function).orElse(null);
        boolean seen = environment != null
                && environment.getData() != null
                && base64(value).equals(environment.getData().get(FunctionVariables.CONTAINER_PREFIX + variable))
                && sameDigest(
                        environment.getMetadata().getAnnotations(),
                        deployment.get().getSpec().getTemplate().getMetadata().getAnnotations());
        return seen && Rollout.of(deployment) != Rollout.IN_PROGRESS ? State.APPLIED : State.ROLLING_OUT;
    }

    private static boolean sameDigest(Map<String, String> environment, Map<String, String> template) {
        return environment != null
                && template != null
                && environment.get(DesiredFunction.ENVIRONMENT_HASH) != null
                && environment
                        .get(DesiredFunction.ENVIRONMENT_HASH)
                        .equals(template.get(DesiredFunction.ENVIRONMENT_HASH));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}

package svc.operator.function.variable;

import java.util.Objects;
import svc.crds.function.EdgeFunction;
import svc.crds.secret.FunctionSecret;

/**
 * Identifies a function by namespace, project and function name; unique after name conflicts are resolved.
 *
 * @param function empty for all functions of the project
 */
public record FunctionKey(String namespace, String project, String function) {
    private static final String ALL = "";

    public static FunctionKey of(EdgeFunction function) {
        return new FunctionKey(
                function.getMetadata().getNamespace(),
                function.getSpec().projectRef().name(),
                function.getSpec().name());
    }

    public static FunctionKey of(FunctionSecret secret) {
        return new FunctionKey(
                secret.getMetadata().getNamespace(),
                secret.getSpec().projectRef().name(),
                Objects.requireNonNullElse(secret.getSpec().functionName(), ALL));
    }

    /** All functions of the same project. */
    public FunctionKey ofAll() {
        return new FunctionKey(namespace, project, ALL);
    }

    public boolean isOfAll() {
        return function.isEmpty();
    }

    /** For informer indexes: no part contains a slash. */
    public String text() {
        return namespace + "/" + project + "/" + function;
    }
}

package svc.operator.function.variable;

import svc.crds.function.EdgeFunction;
import svc.crds.secret.FunctionSecret;

/** Identifies a function by namespace, project and function name; unique after name conflicts are resolved. */
public record FunctionKey(String namespace, String project, String function) {
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
                secret.getSpec().functionName());
    }

    /** For informer indexes: no part contains a slash. */
    public String text() {
        return namespace + "/" + project + "/" + function;
    }
}

package svc.operator.function.variable;

import svc.crds.function.EdgeFunction;
import svc.crds.secret.FunctionSecret;

/** Which function is meant, by what callers and resources call it; unique once name conflicts are settled. */
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

    /** For indexes of informers: no part can hold a slash. */
    public String text() {
        return namespace + "/" + project + "/" + function;
    }
}

package svc.operator.function.variable;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import svc.crds.secret.FunctionSecret;

/** Which of several FunctionSecrets sets a variable: the function's own before one of all functions, then the oldest. Pure. */
public final class SecretPrecedence {
    private static final Comparator<FunctionSecret> PRECEDENCE = Comparator.comparing(
                    (FunctionSecret secret) -> FunctionKey.of(secret).isOfAll())
            .thenComparing(
                    secret -> secret.getMetadata().getCreationTimestamp(),
                    Comparator.nullsLast(Comparator.naturalOrder()))
            // Timestamps are in seconds: of two with the same one the FunctionSecret with a value wins.
            .thenComparing(
                    secret -> secret.getStatus() == null || secret.getStatus().digest() == null)
            .thenComparing(secret -> secret.getMetadata().getName());

    private SecretPrecedence() {}

    /** @param secrets of one function and of all functions of its project; ignores those being deleted */
    public static Map<String, FunctionSecret> byVariable(Collection<FunctionSecret> secrets) {
        Map<String, FunctionSecret> first = new TreeMap<>();
        secrets.stream()
                .filter(secret -> !secret.isMarkedForDeletion())
                .sorted(PRECEDENCE)
                .forEach(secret -> first.putIfAbsent(secret.getSpec().key(), secret));
        return first;
    }
}

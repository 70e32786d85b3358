package svc.operator.function.variable;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import svc.crds.secret.FunctionSecret;

/** Which of several FunctionSecrets sets a variable: the one that was there first. Pure. */
public final class SecretPrecedence {
    private static final Comparator<FunctionSecret> AGE = Comparator.comparing(
                    (FunctionSecret secret) -> secret.getMetadata().getCreationTimestamp(),
                    Comparator.nullsLast(Comparator.naturalOrder()))
            // Times are in seconds: of two that came together the one that has a value keeps it.
            .thenComparing(
                    secret -> secret.getStatus() == null || secret.getStatus().digest() == null)
            .thenComparing(secret -> secret.getMetadata().getName());

    private SecretPrecedence() {}

    /** @param secrets of one function, those that are being deleted left aside */
    public static Map<String, FunctionSecret> byVariable(Collection<FunctionSecret> secrets) {
        Map<String, FunctionSecret> first = new TreeMap<>();
        secrets.stream()
                .filter(secret -> !secret.isMarkedForDeletion())
                .sorted(AGE)
                .forEach(secret -> first.putIfAbsent(secret.getSpec().key(), secret));
        return first;
    }
}

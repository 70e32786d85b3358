package svc.rest.request;

import java.util.Set;

/** Separates the arguments of a function call by GET from filters and reserved parameters. */
final class CallParameters {
    /** Reserved last segments of keys. */
    private static final Set<String> WORDS = Set.of("order", "limit", "offset", "and", "or");

    private static final Set<String> ROOT_PARAMETERS = Set.of("select", "columns", "on_conflict", "apikey");

    private CallParameters() {}

    /** The parameters that are not reserved and whose value is not an operation: {@code id=5}, not {@code id=eq.5}. */
    static QueryString of(QueryString parameters) {
        return new QueryString(parameters.parameters().stream()
                .filter(parameter -> !ROOT_PARAMETERS.contains(parameter.key()))
                .filter(parameter -> !WORDS.contains(
                        parameter.key().substring(parameter.key().lastIndexOf('.') + 1)))
                .filter(parameter -> !ConditionParser.isOperation(parameter.value()))
                .toList());
    }
}

package svc.rest.request;

import java.util.Set;

/** Which parameters of a query string are arguments of a function that is called by GET. */
final class CallParameters {
    /** The last part of keys that the API reads itself. */
    private static final Set<String> WORDS = Set.of("order", "limit", "offset", "and", "or");

    private static final Set<String> OF_THE_WHOLE = Set.of("select", "columns", "on_conflict", "apikey");

    private CallParameters() {}

    /** Those that are no word of the API, and whose value is no operation: {@code id=5}, not {@code id=eq.5}. */
    static QueryString of(QueryString parameters) {
        return new QueryString(parameters.parameters().stream()
                .filter(parameter -> !OF_THE_WHOLE.contains(parameter.key()))
                .filter(parameter -> !WORDS.contains(
                        parameter.key().substring(parameter.key().lastIndexOf('.') + 1)))
                .filter(parameter -> !ConditionParser.isOperation(parameter.value()))
                .toList());
    }
}

package svc.embedded.kubernetes.contract;

/**
 * The accepted deviations of the embedded API from kube-apiserver. A contract test asserts each on both APIs, and
 * {@code embedded/README.md} lists it.
 */
enum KnownDifference {
    ANONYMOUS_IS_UNAUTHENTICATED("A request without a token is answered 401, not 403: there is no anonymous user."),
    BUILT_IN_KINDS_ARE_NOT_VALIDATED("Of the built-in kinds only Pods are validated."),
    FUTURE_VERSIONS_ARE_EXPIRED("A watch from a resourceVersion of the future ends with 410 instead of waiting."),
    LISTS_ARE_WHOLE("`limit` and `continue` are ignored: a list is never paged."),
    ONE_USER("There is one user: no RBAC, no tokens of ServiceAccounts."),
    RULE_COSTS_ARE_NOT_ESTIMATED("The cost budget of CEL rules is not enforced."),
    UNKNOWN_FIELDS_ARE_DROPPED_BY_APPLY(
            "Server-side apply drops a field that the schema does not know, with a warning, instead of failing.");

    private final String sentence;

    KnownDifference(String sentence) {
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}

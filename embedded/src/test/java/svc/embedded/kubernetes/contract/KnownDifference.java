package svc.embedded.kubernetes.contract;

/**
 * Where the embedded API deviates from kube-apiserver and may: each is asserted on both sides by a contract test. The sentence
 * stands in {@code embedded/README.md} too.
 */
enum KnownDifference {
    LISTS_ARE_WHOLE("`limit` and `continue` of a list are ignored: every list is whole."),
    ANONYMOUS_IS_UNAUTHENTICATED("A request without a token is answered 401, not 403: there is no anonymous user."),
    UNKNOWN_FIELDS_ARE_DROPPED_BY_APPLY(
            "A server-side apply with a field that the schema does not know drops the field, with a warning, instead of"
                    + " failing."),
    RULE_COSTS_ARE_NOT_ESTIMATED(
            "A definition whose validation rules exceed the cost budget of kube-apiserver is accepted."),
    FUTURE_VERSIONS_ARE_EXPIRED(
            "A watch from a version that was never given out ends with 410 instead of waiting for it: the data folder was"
                    + " replaced by an older one.");

    private final String sentence;

    KnownDifference(String sentence) {
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}

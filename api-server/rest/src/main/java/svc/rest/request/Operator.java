package svc.rest.request;

import java.util.Optional;

/** Comparison operators with one value. {@code is} and {@code in} are separate conditions. */
public enum Operator {
    EQ("eq", true),
    NEQ("neq", false),
    GT("gt", true),
    GTE("gte", true),
    LT("lt", true),
    LTE("lte", true),
    LIKE("like", true),
    ILIKE("ilike", true),
    MATCH("match", true),
    IMATCH("imatch", true),
    ISDISTINCT("isdistinct", false),
    CONTAINS("cs", false),
    CONTAINED("cd", false),
    OVERLAPS("ov", false),
    STRICTLY_LEFT("sl", false),
    STRICTLY_RIGHT("sr", false),
    NOT_RIGHT("nxr", false),
    NOT_LEFT("nxl", false),
    ADJACENT("adj", false);

    private final String word;
    private final boolean quantifiable;

    Operator(String word, boolean quantifiable) {
        this.word = word;
        this.quantifiable = quantifiable;
    }

    /** Whether {@code (any)} and {@code (all)} are allowed. */
    boolean quantifiable() {
        return quantifiable;
    }

    /** Whether an asterisk stands for a percent sign. */
    boolean pattern() {
        return this == LIKE || this == ILIKE;
    }

    static Optional<Operator> ofWord(String word) {
        for (Operator operator : values()) {
            if (operator.word.equals(word)) {
                return Optional.of(operator);
            }
        }
        return Optional.empty();
    }
}

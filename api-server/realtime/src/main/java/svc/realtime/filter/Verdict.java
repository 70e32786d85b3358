package svc.realtime.filter;

/** Whether a row passes a condition. A comparison with null is not true, also when it is negated. */
public enum Verdict {
    TRUE,
    FALSE,
    /** PostgreSQL must decide: in memory the answer could differ from its own. */
    UNDECIDED;

    static Verdict of(boolean passes) {
        return passes ? TRUE : FALSE;
    }

    Verdict negatedIf(boolean negated) {
        if (!negated || this == UNDECIDED) {
            return this;
        }
        return this == TRUE ? FALSE : TRUE;
    }
}

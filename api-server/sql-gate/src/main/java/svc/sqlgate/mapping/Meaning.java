package svc.sqlgate.mapping;

import java.util.Optional;

/**
 * What a column's name stands for.
 *
 * @param kind empty for what is no name
 */
record Meaning(Certainty certainty, Optional<NameKind> kind) {
    /** The column that is looked for, which a recursive query leads back to. */
    static final Meaning ITSELF = new Meaning(Certainty.ITSELF, Optional.empty());

    static final Meaning DATA = new Meaning(Certainty.DATA, Optional.empty());

    /** What has columns of unknown names. */
    static final Meaning LIKELY_DATA = new Meaning(Certainty.LIKELY_DATA, Optional.empty());

    /** There is no such column. */
    static final Meaning ABSENT = new Meaning(Certainty.ABSENT, Optional.empty());

    /** Of the tables of a query the one with the first of these has the column. */
    enum Certainty {
        ITSELF,
        NAME,
        DATA,
        LIKELY_NAME,
        LIKELY_DATA,
        ABSENT
    }

    static Meaning name(NameKind kind) {
        return new Meaning(Certainty.NAME, Optional.of(kind));
    }

    static Meaning likelyName(NameKind kind) {
        return new Meaning(Certainty.LIKELY_NAME, Optional.of(kind));
    }

    boolean isItself() {
        return certainty == Certainty.ITSELF;
    }

    boolean isAbsent() {
        return certainty == Certainty.ABSENT;
    }

    /** Of two tables in one query: the meaning that counts. */
    Meaning or(Meaning other) {
        return other.certainty.compareTo(certainty) < 0 ? other : this;
    }
}

package svc.sqlgate.mapping;

import java.util.Optional;

/**
 * The column to which a name in a query is resolved: it has names of objects, or data.
 *
 * @param kind of the names in the column; empty for data
 */
record ResolvedName(Certainty certainty, Optional<NameKind> kind) {
    /** The column that is looked for, which a recursive query leads back to. */
    static final ResolvedName ITSELF = new ResolvedName(Certainty.ITSELF, Optional.empty());

    static final ResolvedName DATA = new ResolvedName(Certainty.DATA, Optional.empty());

    /** What has columns of unknown names. */
    static final ResolvedName LIKELY_DATA = new ResolvedName(Certainty.LIKELY_DATA, Optional.empty());

    /** There is no such column. */
    static final ResolvedName ABSENT = new ResolvedName(Certainty.ABSENT, Optional.empty());

    /** Of the tables of a query the one with the first of these has the column. */
    enum Certainty {
        ITSELF,
        NAME,
        DATA,
        LIKELY_NAME,
        LIKELY_DATA,
        ABSENT
    }

    static ResolvedName name(NameKind kind) {
        return new ResolvedName(Certainty.NAME, Optional.of(kind));
    }

    static ResolvedName likelyName(NameKind kind) {
        return new ResolvedName(Certainty.LIKELY_NAME, Optional.of(kind));
    }

    boolean isItself() {
        return certainty == Certainty.ITSELF;
    }

    boolean isAbsent() {
        return certainty == Certainty.ABSENT;
    }

    /** Of two tables in one query: the meaning that counts. */
    ResolvedName or(ResolvedName other) {
        return other.certainty.compareTo(certainty) < 0 ? other : this;
    }
}

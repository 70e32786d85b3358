package svc.rest.request;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A filter on rows: a logic tree of comparisons. */
public sealed interface Condition {
    /** Conjunction; true if empty. */
    record And(List<Condition> parts) implements Condition {
        public And {
            parts = List.copyOf(parts);
        }
    }

    /** Disjunction. */
    record Or(List<Condition> parts) implements Condition {
        public Or {
            parts = List.copyOf(parts);
        }
    }

    record Not(Condition part) implements Condition {}

    /** @param value untyped, as in the request */
    record Compare(Field field, Operator operator, Quantifier quantifier, String value) implements Condition {}

    record In(Field field, List<String> values) implements Condition {
        public In {
            values = List.copyOf(values);
        }
    }

    record Is(Field field, Truth truth) implements Condition {}

    /** @param config text search configuration; empty for the database's default */
    record FullText(Field field, TextQuery query, Optional<String> config, String value) implements Condition {}

    /** How a full-text search query is parsed. */
    enum TextQuery {
        /** {@code fts}: {@code to_tsquery}. */
        OPERATORS,
        /** {@code plfts}: {@code plainto_tsquery}. */
        PLAIN,
        /** {@code phfts}: {@code phraseto_tsquery}. */
        PHRASE,
        /** {@code wfts}: {@code websearch_to_tsquery}. */
        WEB
    }

    /** True of every row. */
    Condition ALWAYS = new And(List.of());

    /** The conjunction of both. */
    default Condition and(Condition other) {
        if (equals(ALWAYS)) {
            return other;
        }
        return other.equals(ALWAYS) ? this : new And(List.of(this, other));
    }

    /** The fields of all comparisons. */
    static Stream<Field> fields(Condition condition) {
        return switch (condition) {
            case And all -> all.parts().stream().flatMap(Condition::fields);
            case Or any -> any.parts().stream().flatMap(Condition::fields);
            case Not not -> fields(not.part());
            case Compare compare -> Stream.of(compare.field());
            case In in -> Stream.of(in.field());
            case Is is -> Stream.of(is.field());
            case FullText search -> Stream.of(search.field());
        };
    }

    /** The quantifier of a comparison with a list of values. */
    enum Quantifier {
        NONE,
        ANY,
        ALL
    }

    /** The operand of {@code is}. */
    enum Truth {
        NULL,
        NOT_NULL,
        TRUE,
        FALSE,
        UNKNOWN
    }
}

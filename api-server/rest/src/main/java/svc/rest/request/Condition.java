package svc.rest.request;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a row must fulfil: a tree of comparisons. */
public sealed interface Condition {
    /** All of them; true when there are none. */
    record And(List<Condition> parts) implements Condition {
        public And {
            parts = List.copyOf(parts);
        }
    }

    /** One of them at least. */
    record Or(List<Condition> parts) implements Condition {
        public Or {
            parts = List.copyOf(parts);
        }
    }

    record Not(Condition part) implements Condition {}

    /** @param value as the request gives it, without a type */
    record Compare(Field field, Operator operator, Quantifier quantifier, String value) implements Condition {}

    record In(Field field, List<String> values) implements Condition {
        public In {
            values = List.copyOf(values);
        }
    }

    record Is(Field field, Truth truth) implements Condition {}

    /** @param config the text search configuration; the database's default when empty */
    record FullText(Field field, TextQuery query, Optional<String> config, String value) implements Condition {}

    /** How the words of a full-text search are read. */
    enum TextQuery {
        /** {@code fts}: with operators. */
        OPERATORS,
        /** {@code plfts}: all of them. */
        PLAIN,
        /** {@code phfts}: one after the other. */
        PHRASE,
        /** {@code wfts}: as search engines of the web read them. */
        WEB
    }

    /** True of every row. */
    Condition ALWAYS = new And(List.of());

    /** Both of them. */
    default Condition and(Condition other) {
        if (equals(ALWAYS)) {
            return other;
        }
        return other.equals(ALWAYS) ? this : new And(List.of(this, other));
    }

    /** The fields of all its tests. */
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

    /** How a comparison treats a list of values. */
    enum Quantifier {
        NONE,
        ANY,
        ALL
    }

    /** What {@code is} asks for. */
    enum Truth {
        NULL,
        NOT_NULL,
        TRUE,
        FALSE,
        UNKNOWN
    }
}

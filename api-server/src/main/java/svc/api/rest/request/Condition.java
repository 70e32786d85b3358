package svc.api.rest.request;

import java.util.List;

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

package svc.rest.request;

import java.util.List;
import java.util.Optional;

/** One part of {@code select=}. */
public sealed interface SelectItem {
    /** Every column. */
    record All() implements SelectItem {}

    /**
     * A column, a place inside one, or an aggregate.
     *
     * @param field empty for {@code count()}, which counts rows
     * @param cast the type to cast to, as the request names it; under an aggregate, what is cast before it
     * @param aggregateCast the type that an aggregate's result is cast to
     */
    record One(
            Optional<Field> field,
            Optional<String> cast,
            Optional<Aggregate> aggregate,
            Optional<String> aggregateCast,
            Optional<String> alias)
            implements SelectItem {
        /** What the value is called in the answer. */
        public String name() {
            return alias.orElseGet(() -> aggregate
                    .map(Aggregate::word)
                    .orElseGet(() -> field.orElseThrow().defaultName()));
        }
    }

    /**
     * A related resource within the row.
     *
     * @param target a relation, a foreign key or its column, or a computed relationship
     * @param hint what tells several relationships to the target apart
     * @param join whether a row without the resource stays; empty when the request does not say
     * @param select of the resource; nothing for one that is only filtered by
     */
    record Embed(
            String target, Optional<String> alias, Optional<String> hint, Optional<Join> join, List<SelectItem> select)
            implements SelectItem {
        public Embed {
            select = List.copyOf(select);
        }

        /** What it is called in the answer and in the parameters that filter it. */
        public String name() {
            return alias.orElse(target);
        }
    }

    /** A related resource whose columns stand among those of the row: {@code ...target(a,b)}. */
    record Spread(String target, Optional<String> hint, Optional<Join> join, List<SelectItem> select)
            implements SelectItem {
        public Spread {
            select = List.copyOf(select);
        }
    }

    /** Of an embedded resource. */
    enum Join {
        /** {@code !inner}: rows without it are left out. */
        INNER,
        /** {@code !left}: it is null or empty in rows without it. */
        LEFT
    }

    /** A function over the rows of a group. */
    enum Aggregate {
        SUM("sum"),
        AVG("avg"),
        COUNT("count"),
        MAX("max"),
        MIN("min");

        private final String word;

        Aggregate(String word) {
            this.word = word;
        }

        /** Its name in a request, and of its value when there is no alias. */
        public String word() {
            return word;
        }
    }
}

package svc.rest.request;

import java.util.List;
import java.util.Optional;

/** One item of {@code select=}. */
public sealed interface SelectItem {
    /** Every column. */
    record All() implements SelectItem {}

    /**
     * A column, a JSON path, or an aggregate.
     *
     * @param field empty for {@code count()}, which counts rows
     * @param cast the cast of the field, before the aggregate
     * @param aggregateCast the cast of the aggregate's result
     */
    record One(
            Optional<Field> field,
            Optional<String> cast,
            Optional<Aggregate> aggregate,
            Optional<String> aggregateCast,
            Optional<String> alias)
            implements SelectItem {
        /** The key in the response. */
        public String name() {
            return alias.orElseGet(() -> aggregate
                    .map(Aggregate::word)
                    .orElseGet(() -> field.orElseThrow().defaultName()));
        }
    }

    /**
     * An embedded resource.
     *
     * @param target a relation, a foreign key or its column, or a computed relationship
     * @param hint selects one of several relationships to the target
     * @param join whether rows without the resource are returned; empty for the default
     * @param select of the resource; empty if it only filters
     */
    record Embed(
            String target, Optional<String> alias, Optional<String> hint, Optional<Join> join, List<SelectItem> select)
            implements SelectItem {
        public Embed {
            select = List.copyOf(select);
        }

        /** Its key in the response and in parameters. */
        public String name() {
            return alias.orElse(target);
        }
    }

    /** An embedded resource whose columns become columns of the parent row: {@code ...target(a,b)}. */
    record Spread(String target, Optional<String> hint, Optional<Join> join, List<SelectItem> select)
            implements SelectItem {
        public Spread {
            select = List.copyOf(select);
        }
    }

    /** The join type of an embedded resource. */
    enum Join {
        /** {@code !inner}: parent rows without it are left out. */
        INNER,
        /** {@code !left}: null or empty in parent rows without it. */
        LEFT
    }

    /** An aggregate function. */
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

        /** Its name in a request, and its default key in the response. */
        public String word() {
            return word;
        }
    }
}

package svc.rest.plan;

import java.util.List;
import java.util.Optional;
import svc.rest.request.Condition;
import svc.rest.request.Condition.Truth;
import svc.rest.request.RowSelection;
import svc.rest.request.SelectItem;
import svc.rest.request.SelectItem.Aggregate;

/**
 * One relation that is read, what is read of it, and the resources embedded in it. Every name of a resource is resolved;
 * names of columns are left to PostgreSQL, which knows them best.
 *
 * @param select in the order of the answer: own columns first, as PostgREST has them
 * @param rows which of them; their range is within the project's limits
 * @param embeddings resources of other relations, those included that only filter or order
 */
public record ReadPlan(Target target, List<Selected> select, RowSelection rows, List<Embedding> embeddings) {
    public ReadPlan {
        select = List.copyOf(select);
        embeddings = List.copyOf(embeddings);
    }

    /** What the rows have as columns, in their order. */
    public List<String> columnNames() {
        return SpreadColumns.names(this);
    }

    /** The embedded resource of that name or alias. */
    public Optional<Embedding> embedding(String name) {
        return Embedding.named(embeddings, name);
    }

    /** The embedded resource whose presence a null test is about; empty for one of a column. */
    public Optional<Embedding> nullTested(Condition.Is is) {
        boolean presence = is.truth() == Truth.NULL || is.truth() == Truth.NOT_NULL;
        return presence && is.field().path().isEmpty()
                ? embeddings.stream()
                        .filter(one -> one.name().equals(is.field().column()))
                        .findFirst()
                : Optional.empty();
    }

    /** Whether rows are grouped: by what is selected and no aggregate. */
    public boolean aggregated() {
        return select.stream().anyMatch(Selected::aggregated);
    }

    /** Whether each row of the relation is one row of the answer, whatever rows there are. */
    public boolean givesEveryRow() {
        return embeddings.isEmpty()
                && !aggregated()
                && rows.where().equals(Condition.ALWAYS)
                && rows.having().equals(Condition.ALWAYS)
                && rows.distinct().isEmpty()
                && rows.range().isAll();
    }

    /** The rows as they are, without what an answer makes of them: neither selected, nor grouped, nor alike. */
    public ReadPlan rowsOnly() {
        return new ReadPlan(
                target,
                List.of(),
                new RowSelection(rows.where(), Condition.ALWAYS, rows.order(), rows.range(), Optional.empty()),
                embeddings);
    }

    /** The aggregate that a name of the answer stands for, unless a column of that name is selected as well. */
    public Optional<Selected> aggregate(String name) {
        boolean column = select.stream()
                .anyMatch(item -> item instanceof Selected.Own own
                        && !own.aggregated()
                        && own.item().name().equals(name));
        return select.stream()
                .filter(item ->
                        !column && item.aggregated() && item.answerName().equals(Optional.of(name)))
                .findFirst();
    }

    /** One part of the answer. */
    public sealed interface Selected {
        /** Every column of the relation. */
        record All() implements Selected {}

        /** A column or an aggregate of the relation's own. */
        record Own(SelectItem.One item) implements Selected {
            @Override
            public boolean aggregated() {
                return item.aggregate().isPresent();
            }

            @Override
            public Optional<String> answerName() {
                return Optional.of(item.name());
            }
        }

        /** An embedded resource as one value, an object or an array. */
        record Nested(Embedding embedding) implements Selected {}

        /** Every column of a spread resource, under its own name. */
        record SpreadAll(Embedding embedding) implements Selected {}

        /**
         * One column of a spread resource.
         *
         * @param column its name inside the resource; empty for {@code count()}
         * @param aggregate applied outside of it, over this relation's groups
         */
        record SpreadOne(
                Embedding embedding,
                Optional<String> column,
                Optional<Aggregate> aggregate,
                Optional<String> aggregateCast,
                String name)
                implements Selected {
            @Override
            public boolean aggregated() {
                return aggregate.isPresent();
            }

            @Override
            public Optional<String> answerName() {
                return Optional.of(name);
            }
        }

        /** Whether it is a function over a group's rows. */
        default boolean aggregated() {
            return false;
        }

        /** What it is called in the answer, where it is one value. */
        default Optional<String> answerName() {
            return Optional.empty();
        }
    }
}

package svc.rest.plan;

import java.util.List;
import java.util.Optional;
import svc.rest.request.Condition;
import svc.rest.request.Condition.Truth;
import svc.rest.request.RowSelection;
import svc.rest.request.SelectItem;
import svc.rest.request.SelectItem.Aggregate;

/**
 * A read of one relation with its embedded resources. Names of resources are resolved; PostgreSQL checks names of columns.
 *
 * @param select in the order of the response: own columns first, as in PostgREST
 * @param rows filters, order and range; the range is within the project's limits
 * @param embeddings embedded resources, including those that only filter or order
 */
public record ReadPlan(Target target, List<Selected> select, RowSelection rows, List<Embedding> embeddings) {
    public ReadPlan {
        select = List.copyOf(select);
        embeddings = List.copyOf(embeddings);
    }

    /** The names of the result's columns, in order. */
    public List<String> columnNames() {
        return SpreadColumns.names(this);
    }

    /** The embedded resource of that name or alias. */
    public Optional<Embedding> embedding(String name) {
        return Embedding.named(embeddings, name);
    }

    /** The embedded resource that a null filter tests; empty if it tests a column. */
    public Optional<Embedding> nullTested(Condition.Is is) {
        boolean presence = is.truth() == Truth.NULL || is.truth() == Truth.NOT_NULL;
        return presence && is.field().path().isEmpty()
                ? embeddings.stream()
                        .filter(one -> one.name().equals(is.field().column()))
                        .findFirst()
                : Optional.empty();
    }

    /** Whether rows are grouped by the selected columns that are not aggregates. */
    public boolean aggregated() {
        return select.stream().anyMatch(Selected::aggregated);
    }

    /** Whether the result has exactly one row for each row of the relation. */
    public boolean givesEveryRow() {
        return embeddings.isEmpty()
                && !aggregated()
                && rows.where().equals(Condition.ALWAYS)
                && rows.having().equals(Condition.ALWAYS)
                && rows.distinct().isEmpty()
                && rows.range().isAll();
    }

    /** The same rows without selection, grouping and DISTINCT. */
    public ReadPlan rowsOnly() {
        return new ReadPlan(
                target,
                List.of(),
                new RowSelection(rows.where(), Condition.ALWAYS, rows.order(), rows.range(), Optional.empty()),
                embeddings);
    }

    /** The aggregate with that key in the response, unless a column of that name is selected as well. */
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

    /** One item of the select list. */
    public sealed interface Selected {
        /** Every column of the relation. */
        record All() implements Selected {}

        /** A column or an aggregate of the relation itself. */
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

        /** TRUE under a name. What joins the relation sees by it whether a row exists. */
        record Presence(String name) implements Selected {}

        /** An embedded resource as one value: an object or an array. */
        record Nested(Embedding embedding) implements Selected {}

        /** Every column of a spread resource, under its own name. */
        record SpreadAll(Embedding embedding) implements Selected {}

        /**
         * One column of a spread resource.
         *
         * @param column its name in the resource
         * @param aggregate applied over the groups of this relation
         */
        record SpreadOne(
                Embedding embedding,
                String column,
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

        /** Whether it is an aggregate. */
        default boolean aggregated() {
            return false;
        }

        /** Its key in the response, if it is a single value. */
        default Optional<String> answerName() {
            return Optional.empty();
        }
    }
}

package svc.graphql.schema;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The GraphQL type of the values of a column, a parameter or a function. */
public sealed interface ValueType {
    /** The operators of a list's filter. */
    Set<FilterOperator> LIST_OPERATORS = Collections.unmodifiableSet(EnumSet.of(
            FilterOperator.CONTAINS,
            FilterOperator.CONTAINED_BY,
            FilterOperator.OVERLAPS,
            FilterOperator.EQ,
            FilterOperator.IS));

    /** The operators of its filter; empty if it has none. */
    Set<FilterOperator> operators();

    /** The name of the type, of a list that of its elements. */
    String typeName();

    /** The name of the input type that filters it. */
    default String filterName() {
        return typeName() + "Filter";
    }

    record Scalar(ScalarType scalar) implements ValueType {
        @Override
        public Set<FilterOperator> operators() {
            return scalar.operators();
        }

        @Override
        public String typeName() {
            return scalar.typeName();
        }
    }

    /**
     * An enum.
     *
     * @param mapped whether a label has another name than in the database
     */
    record Enumeration(String typeName, List<Label> labels, boolean mapped, Optional<String> description)
            implements ValueType {
        private static final Set<FilterOperator> OPERATORS = Collections.unmodifiableSet(
                EnumSet.of(FilterOperator.EQ, FilterOperator.NEQ, FilterOperator.IN, FilterOperator.IS));

        public Enumeration {
            labels = List.copyOf(labels);
        }

        @Override
        public Set<FilterOperator> operators() {
            return OPERATORS;
        }

        /** The database's label of a GraphQL name. */
        public Optional<String> label(String name) {
            return labels.stream()
                    .filter(label -> label.name().equals(name))
                    .map(Label::label)
                    .findFirst();
        }
    }

    /**
     * A value of an enum.
     *
     * @param name in GraphQL
     * @param label in the database
     */
    record Label(String name, String label) {}

    record ListOf(ValueType element) implements ValueType {
        @Override
        public Set<FilterOperator> operators() {
            return LIST_OPERATORS;
        }

        @Override
        public String typeName() {
            return element.typeName();
        }

        @Override
        public String filterName() {
            return element.typeName() + "ListFilter";
        }
    }

    /** Whether it is that scalar. */
    default boolean is(ScalarType wanted) {
        return this instanceof Scalar(ScalarType scalar) && scalar == wanted;
    }
}

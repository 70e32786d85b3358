package svc.graphql.schema;

import static svc.graphql.schema.FilterOperator.EQ;
import static svc.graphql.schema.FilterOperator.GT;
import static svc.graphql.schema.FilterOperator.GTE;
import static svc.graphql.schema.FilterOperator.ILIKE;
import static svc.graphql.schema.FilterOperator.IN;
import static svc.graphql.schema.FilterOperator.IREGEX;
import static svc.graphql.schema.FilterOperator.IS;
import static svc.graphql.schema.FilterOperator.LIKE;
import static svc.graphql.schema.FilterOperator.LT;
import static svc.graphql.schema.FilterOperator.LTE;
import static svc.graphql.schema.FilterOperator.NEQ;
import static svc.graphql.schema.FilterOperator.REGEX;
import static svc.graphql.schema.FilterOperator.STARTS_WITH;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The scalars of the schema, with the operators of their filters. */
public enum ScalarType {
    ID("ID", "A globally unique identifier for a given record", EnumSet.of(EQ)),
    INT("Int", "A scalar integer up to 32 bits", Operators.ordered()),
    FLOAT("Float", "A scalar floating point value up to 32 bits", Operators.ordered()),
    STRING("String", "A string", Operators.text()),
    BOOLEAN("Boolean", "A value that is true or false", EnumSet.of(EQ, IS)),
    BIG_INT("BigInt", "An arbitrary size integer represented as a string", Operators.ordered()),
    BIG_FLOAT("BigFloat", "A high precision floating point value represented as a string", Operators.ordered()),
    DATE("Date", "A date without time information", Operators.ordered()),
    TIME("Time", "A time without date information", Operators.ordered()),
    DATETIME("Datetime", "A date and time", Operators.ordered()),
    UUID("UUID", "A universally unique identifier", EnumSet.of(EQ, NEQ, IN, IS)),
    JSON("JSON", "A Javascript Object Notation value serialized as a string", Operators.none()),
    CURSOR("Cursor", "An opaque string using for tracking a position in results during pagination", Operators.none()),
    OPAQUE("Opaque", "Any type not handled by the type system", EnumSet.of(EQ, IS));

    private final String typeName;
    private final String description;
    private final Set<FilterOperator> operators;

    ScalarType(String typeName, String description, EnumSet<FilterOperator> operators) {
        this.typeName = typeName;
        this.description = description;
        this.operators = Collections.unmodifiableSet(operators);
    }

    public String typeName() {
        return typeName;
    }

    public String description() {
        return description;
    }

    /** In the order in which they are declared; empty for a scalar without a filter. */
    public Set<FilterOperator> operators() {
        return operators;
    }

    /** Whether sums and averages of it exist. */
    public boolean isNumeric() {
        return this == INT || this == BIG_INT || this == FLOAT || this == BIG_FLOAT;
    }

    /** The type of a sum. */
    public ScalarType sum() {
        return this == INT || this == BIG_INT ? BIG_INT : BIG_FLOAT;
    }

    /** The type of the smallest and the largest value. */
    public ScalarType extreme() {
        return this == FLOAT ? BIG_FLOAT : this;
    }

    /** Whether the smallest and the largest value exist. */
    public boolean hasExtremes() {
        return switch (this) {
            case INT, BIG_INT, FLOAT, BIG_FLOAT, STRING, DATE, TIME, DATETIME, BOOLEAN -> true;
            case ID, UUID, JSON, CURSOR, OPAQUE -> false;
        };
    }

    private static final class Operators {
        private static EnumSet<FilterOperator> none() {
            return EnumSet.noneOf(FilterOperator.class);
        }

        private static EnumSet<FilterOperator> ordered() {
            return EnumSet.of(EQ, NEQ, GT, GTE, LT, LTE, IN, IS);
        }

        private static EnumSet<FilterOperator> text() {
            EnumSet<FilterOperator> all = ordered();
            all.addAll(EnumSet.of(STARTS_WITH, LIKE, ILIKE, REGEX, IREGEX));
            return all;
        }
    }
}

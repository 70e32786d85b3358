package svc.management.types;

/** What a value of a PostgreSQL type is in JSON, as the REST API reads and writes it; null is no part of it. */
sealed interface WireType {
    /** A value without a name of its own. */
    record Scalar(Kind kind) implements WireType {}

    /** A label of an enum of the described schemas. */
    record Label(long type) implements WireType {}

    /** A row of a relation, or a value of a composite type, of the described schemas. */
    record Row(long relation) implements WireType {}

    record ListOf(WireType element) implements WireType {}

    /** How a scalar is written in JSON. */
    enum Kind {
        BOOL,
        INT16,
        INT32,
        INT64,
        FLOAT32,
        FLOAT64,
        /** A number of any precision. */
        NUMERIC,
        /** The kinds from here to TEXT are strings. */
        UUID,
        DATE,
        TIME,
        /** With or without a time zone. */
        TIMESTAMP,
        TEXT,
        /** Any value. */
        JSON
    }
}

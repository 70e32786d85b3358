package svc.rest.plan;

import svc.catalog.QualifiedIdentifier;
import svc.rest.request.MediaType;

/**
 * The media type of a response and how PostgreSQL renders it.
 *
 * @param mediaType for the Content-Type header
 * @param format how PostgreSQL renders the rows
 */
public record Rendering(MediaType mediaType, Format format) {
    /** How rows become a body. */
    public sealed interface Format {
        /** An array; a single value for a function that does not return a set. */
        record Json(boolean nullsStripped) implements Format {}

        /** The first row as an object. */
        record SingleObject(boolean nullsStripped) implements Format {}

        record Csv() implements Format {}

        record GeoJson() implements Format {}

        /**
         * The raw value of a scalar function.
         *
         * @param binary whether it is of type bytea
         */
        record Value(boolean binary) implements Format {}

        /**
         * A media type handler of the project.
         *
         * @param binary whether it returns bytea
         * @param ofRelation whether it accepts rows of the relation only
         */
        record Handler(QualifiedIdentifier function, boolean binary, boolean ofRelation) implements Format {}
    }

    /** Whether any other number of rows than one is an error. */
    public boolean singular() {
        return format instanceof Format.SingleObject;
    }

    /** Whether the statement returns the body hex-encoded. */
    public boolean binary() {
        return switch (format) {
            case Format.Value value -> value.binary();
            case Format.Handler handler -> handler.binary();
            default -> false;
        };
    }

    /** Whether the statement is run with EXPLAIN. */
    public boolean explained() {
        return mediaType instanceof MediaType.ExecutionPlan;
    }
}

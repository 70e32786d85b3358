package svc.rest.plan;

import svc.catalog.QualifiedIdentifier;
import svc.rest.request.MediaType;

/**
 * What an answer is written in.
 *
 * @param mediaType what it is called
 * @param format how PostgreSQL makes it of the rows
 */
public record Rendering(MediaType mediaType, Format format) {
    /** How rows become a body. */
    public sealed interface Format {
        /** An array; one value of a function that returns no set. */
        record Json(boolean nullsStripped) implements Format {}

        /** The first row as an object. */
        record SingleObject(boolean nullsStripped) implements Format {}

        record Csv() implements Format {}

        record GeoJson() implements Format {}

        /**
         * The value of a scalar function as it is.
         *
         * @param binary whether it is a bytea
         */
        record Value(boolean binary) implements Format {}

        /**
         * An aggregate of the project.
         *
         * @param binary whether it gives a bytea
         * @param ofRelation whether it takes rows of the relation rather than any
         */
        record Handler(QualifiedIdentifier function, boolean binary, boolean ofRelation) implements Format {}
    }

    /** Whether the answer is an error unless there is exactly one row. */
    public boolean singular() {
        return format instanceof Format.SingleObject;
    }

    /** Whether the body comes in hexadecimal digits. */
    public boolean binary() {
        return switch (format) {
            case Format.Value value -> value.binary();
            case Format.Handler handler -> handler.binary();
            default -> false;
        };
    }

    /** Whether the statement is explained instead of run. */
    public boolean explained() {
        return mediaType instanceof MediaType.ExecutionPlan;
    }
}

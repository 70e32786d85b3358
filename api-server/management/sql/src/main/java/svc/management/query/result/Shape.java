package svc.management.query.result;

import java.util.List;

/** The JSON form of a type's values, as {@code to_json} defines it. */
sealed interface Shape {
    /** One JSON value, made from the whole text. */
    record Scalar(ValueKind kind) implements Shape {}

    /** @param delimiter between elements in the server's text: a comma for every type but box */
    record Array(Shape element, char delimiter) implements Shape {}

    /** The catalog's own vector types, whose text has spaces and no braces. */
    record Vector(ValueKind kind) implements Shape {}

    /** A row type: an object of its fields. */
    record Composite(List<Field> fields) implements Shape {
        public Composite {
            fields = List.copyOf(fields);
        }
    }

    /** The type of the extension hstore, which defines its own cast to JSON. */
    record Hstore() implements Shape {}

    /** A field of a composite. */
    record Field(String name, Shape shape) {}

    /** The text as a string. */
    Shape TEXT = new Scalar(ValueKind.TEXT);
}

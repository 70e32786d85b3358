package svc.management.query.result;

import java.util.List;

/** How values of a type look in JSON, as {@code to_json} decides it. */
sealed interface Shape {
    /** One value of JSON, made from the text of the whole. */
    record Scalar(ValueKind kind) implements Shape {}

    /** @param delimiter between elements in the server's text: a comma for every type but box */
    record Array(Shape element, char delimiter) implements Shape {}

    /** The catalog's own lists of numbers, whose text has spaces and no braces. */
    record Vector(ValueKind kind) implements Shape {}

    /** A row type: an object of its fields. */
    record Composite(List<Field> fields) implements Shape {
        public Composite {
            fields = List.copyOf(fields);
        }
    }

    /** The type of the extension, which comes with a way to JSON. */
    record Hstore() implements Shape {}

    /** A field of a composite. */
    record Field(String name, Shape shape) {}

    /** The text as a string. */
    Shape TEXT = new Scalar(ValueKind.TEXT);
}

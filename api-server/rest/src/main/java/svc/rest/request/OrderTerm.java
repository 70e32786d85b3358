package svc.rest.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One term of {@code order=}; PostgreSQL's defaults apply to absent parts.
 *
 * @param relation the embedded resource of the field: {@code order=director(name)}
 */
public record OrderTerm(Optional<String> relation, Field field, Optional<Direction> direction, Optional<Nulls> nulls) {
    private static final String[] MODIFIERS = {"\"asc\"", "\"desc\"", "\"nullsfirst\"", "\"nullslast\""};
    private static final String[] AFTER_NAME = {
        "letter", "digit", "\"-\"", "\"->>\"", "\"->\"", "delimiter (.)", "\",\"", "end of input"
    };

    /** The sort direction. */
    public enum Direction {
        ASC,
        DESC
    }

    /** The position of nulls. */
    public enum Nulls {
        FIRST,
        LAST
    }

    static List<OrderTerm> readAll(String text) {
        var cursor = new Cursor("order", text);
        List<OrderTerm> terms = new ArrayList<>();
        do {
            cursor.skipSpaces();
            terms.add(read(cursor));
            cursor.skipSpaces();
        } while (cursor.take(","));
        if (!cursor.atEnd()) {
            throw cursor.fail("\",\"", "end of input");
        }
        return List.copyOf(terms);
    }

    private static OrderTerm read(Cursor cursor) {
        int start = cursor.mark();
        String name = cursor.name();
        int afterName = cursor.mark();
        Optional<String> relation = Optional.empty();
        Field field;
        if (cursor.take("(")) {
            relation = Optional.of(name);
            field = cursor.looksAtName() ? Field.read(cursor) : Field.of("");
            if (field.column().isEmpty() || !cursor.take(")")) {
                cursor.reset(afterName);
                throw cursor.fail(AFTER_NAME);
            }
        } else {
            cursor.reset(start);
            field = Field.read(cursor);
            if (!cursor.atEnd() && cursor.peek() != '.' && cursor.peek() != ',') {
                throw cursor.fail(AFTER_NAME);
            }
        }
        if (!cursor.take(".")) {
            return new OrderTerm(relation, field, Optional.empty(), Optional.empty());
        }
        Optional<Direction> direction = direction(cursor);
        if (direction.isPresent() && !cursor.take(".")) {
            return new OrderTerm(relation, field, direction, Optional.empty());
        }
        Optional<Nulls> nulls = nulls(cursor);
        if (nulls.isEmpty()) {
            throw direction.isEmpty() ? cursor.fail(MODIFIERS) : cursor.fail(MODIFIERS[2], MODIFIERS[3]);
        }
        return new OrderTerm(relation, field, direction, nulls);
    }

    private static Optional<Direction> direction(Cursor cursor) {
        if (cursor.take("asc")) {
            return Optional.of(Direction.ASC);
        }
        return cursor.take("desc") ? Optional.of(Direction.DESC) : Optional.empty();
    }

    private static Optional<Nulls> nulls(Cursor cursor) {
        if (cursor.take("nullsfirst")) {
            return Optional.of(Nulls.FIRST);
        }
        return cursor.take("nullslast") ? Optional.of(Nulls.LAST) : Optional.empty();
    }
}

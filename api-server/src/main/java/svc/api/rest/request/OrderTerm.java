package svc.api.rest.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.api.rest.error.RestError;

/** One part of {@code order=}; what is not said is left to PostgreSQL. */
public record OrderTerm(Field field, Optional<Direction> direction, Optional<Nulls> nulls) {
    /** Of the order. */
    public enum Direction {
        ASC,
        DESC
    }

    /** Where nulls stand. */
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
        cursor.requireEnd();
        return List.copyOf(terms);
    }

    private static OrderTerm read(Cursor cursor) {
        Field field = Field.read(cursor);
        if (cursor.peek() == '(') {
            throw RestError.notImplemented("Ordering by a related table");
        }
        Optional<Direction> direction = Optional.empty();
        Optional<Nulls> nulls = Optional.empty();
        if (cursor.take(".asc")) {
            direction = Optional.of(Direction.ASC);
        } else if (cursor.take(".desc")) {
            direction = Optional.of(Direction.DESC);
        }
        if (cursor.take(".nullsfirst")) {
            nulls = Optional.of(Nulls.FIRST);
        } else if (cursor.take(".nullslast")) {
            nulls = Optional.of(Nulls.LAST);
        }
        if (cursor.peek() == '.') {
            throw cursor.fail("asc, desc, nullsfirst or nullslast");
        }
        return new OrderTerm(field, direction, nulls);
    }
}

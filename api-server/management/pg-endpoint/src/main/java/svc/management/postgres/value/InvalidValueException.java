package svc.management.postgres.value;

/** Bytes that are no value of their type. The codes are those of PostgreSQL's own functions {@code …recv}. */
final class InvalidValueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private static final String FORMAT = "22P03";
    private static final String RANGE = "22008";
    private static final String TEXT = "22021";
    private static final String DIMENSIONS = "54000";
    private static final String ELEMENT_TYPE = "42804";
    private static final String NAME = "42622";

    private final String sqlState;

    private InvalidValueException(String sqlState, String message) {
        super(message);
        this.sqlState = sqlState;
    }

    static InvalidValueException format(String message) {
        return new InvalidValueException(FORMAT, message);
    }

    /** A date or a time that PostgreSQL does not have. */
    static InvalidValueException range(String type) {
        return new InvalidValueException(RANGE, type + " out of range");
    }

    static InvalidValueException text() {
        return new InvalidValueException(TEXT, "invalid byte sequence for encoding \"UTF8\"");
    }

    static InvalidValueException longName() {
        return new InvalidValueException(NAME, "identifier too long");
    }

    static InvalidValueException dimensions(int count, int max) {
        return new InvalidValueException(
                DIMENSIONS, "number of array dimensions (" + count + ") exceeds the maximum allowed (" + max + ")");
    }

    static InvalidValueException elementType() {
        return new InvalidValueException(ELEMENT_TYPE, "wrong element type");
    }

    String sqlState() {
        return sqlState;
    }
}

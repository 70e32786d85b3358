package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A validation error, as the three fields of a Status cause.
 *
 * @param path where, such as {@code spec.files[a.ts]}; {@code <nil>} without a field
 * @param message the text, beginning with the kind of error ({@code Invalid value: "x": ...})
 * @param reason the machine-readable cause type, such as {@link #INVALID}
 */
public record Violation(String path, String message, String reason) {

    public static final String INVALID = "FieldValueInvalid";
    public static final String TYPE_INVALID = "FieldValueTypeInvalid";
    public static final String REQUIRED = "FieldValueRequired";
    public static final String FORBIDDEN = "FieldValueForbidden";
    public static final String DUPLICATE = "FieldValueDuplicate";
    public static final String NOT_SUPPORTED = "FieldValueNotSupported";
    public static final String TOO_LONG = "FieldValueTooLong";
    public static final String TOO_MANY = "FieldValueTooMany";

    /** The path of a violation without a field. */
    static final String NO_FIELD = "<nil>";

    /** Values are truncated in messages: a value can be a whole source file. */
    private static final int SHOWN_VALUE_LENGTH = 200;

    static Violation invalid(String path, JsonNode value, String detail) {
        return new Violation(path, "Invalid value: " + shown(value) + ": " + detail, INVALID);
    }

    static Violation wrongType(String path, String shown, String detail) {
        return new Violation(path, "Invalid value: " + shown + ": " + detail, TYPE_INVALID);
    }

    static Violation required(String path) {
        return new Violation(path, "Required value", REQUIRED);
    }

    static Violation duplicate(String path, JsonNode value) {
        return new Violation(path, "Duplicate value: " + shown(value), DUPLICATE);
    }

    static Violation tooLong(String path, long most) {
        return new Violation(path, "Too long: may not be more than " + most + " bytes", TOO_LONG);
    }

    static Violation tooMany(String path, long actual, long most) {
        return new Violation(path, "Too many: " + actual + ": must have at most " + most + " items", TOO_MANY);
    }

    /**
     * Whether the rules must not run on the object any more: they are written for values of the declared types and
     * within the declared bounds.
     */
    boolean blocksRules() {
        return switch (reason) {
            case REQUIRED, TYPE_INVALID, TOO_LONG, TOO_MANY -> true;
            default -> false;
        };
    }

    static String shown(JsonNode value) {
        String json = value.toString();
        return json.length() <= SHOWN_VALUE_LENGTH ? json : json.substring(0, SHOWN_VALUE_LENGTH) + "...";
    }

    @Override
    public String toString() {
        return path + ": " + message;
    }
}

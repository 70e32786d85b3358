package svc.rest.error;

import java.util.Optional;

/** Errors of query parameters that would be taken for something else, or for nothing. */
public final class ParameterErrors {
    private static final String CODE = "PGRST100";

    private ParameterErrors() {}

    /** A write has a parameter without effect: it may be a filter that was not understood. */
    public static RestError unread(String name, String reason, String hint) {
        return new RestError(
                400,
                CODE,
                "The query parameter '" + name + "' of this write is not used: " + reason,
                Optional.of("Nothing was changed: without the parameter the write could affect other rows."),
                Optional.of(hint));
    }

    /** A reserved name is also that of a column, and the value fits both. */
    public static RestError ambiguousColumn(String name, String table) {
        return ambiguous(
                name,
                "'" + table + "' has a column of that name",
                name.equals("apikey")
                        ? "Write a filter as apikey=eq.value, and send the API key in the header 'apikey'."
                        : "Put the column's name in double quotes to filter by it: \"" + name + "\"=eq.value");
    }

    /** A reserved name is also that of an argument of a function that is called by GET. */
    public static RestError ambiguousArgument(String name, String function) {
        return ambiguous(
                name,
                "the function '" + function + "' has an argument of that name",
                "Call the function by POST, with its arguments in the body.");
    }

    private static RestError ambiguous(String name, String why, String hint) {
        return new RestError(
                400,
                CODE,
                "The query parameter '" + name + "' is ambiguous: " + why,
                Optional.of("'" + name + "' is a reserved name of the query string."),
                Optional.of(hint));
    }
}

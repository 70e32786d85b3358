package svc.management.json;

import com.google.re2j.Pattern;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** Reads parameters of addresses that several resources take. Each value has an answer: an invalid one is 400. */
public final class QueryParameters {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,4}");

    private QueryParameters() {}

    /**
     * How many lines or rows are wanted.
     *
     * @param text of {@code limit}; null for the usual number
     * @param most the largest number, below 10,000
     */
    public static int limit(String text, int usual, int most) {
        if (text == null) {
            return usual;
        }
        int limit = NUMBER.matches(text) ? Integer.parseInt(text) : 0;
        if (limit < 1 || limit > most) {
            throw invalid("limit", "a number from 1 to " + most);
        }
        return limit;
    }

    /** A parameter that is set by its name alone, too. */
    public static boolean flag(String name, String text) {
        return switch (text) {
            case "true", "1", "" -> true;
            case "false", "0" -> false;
            default -> throw invalid(name, "true or false");
        };
    }

    /** @param rule the end of a sentence: what it must be */
    public static ProblemException invalid(String name, String rule) {
        return Problem.of(ProblemCode.INVALID_PARAMETER, "The parameter " + name + " must be " + rule + ".")
                .asException();
    }
}

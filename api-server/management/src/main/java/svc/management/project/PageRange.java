package svc.management.project;

import java.util.List;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** A part of a list. */
record PageRange(int offset, int limit) {
    private static final int MAX = 1_000;

    /**
     * @param offset as sent, null for 0
     * @param limit as sent, null for the default
     * @throws ProblemException 400
     */
    static PageRange of(String offset, String limit, int defaultLimit) {
        return new PageRange(
                offset == null ? 0 : number("offset", offset, 0, Integer.MAX_VALUE),
                limit == null ? defaultLimit : number("limit", limit, 1, MAX));
    }

    private static int number(String name, String text, int min, int max) {
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Answered like a number out of range.
        }
        throw Problem.of(
                        ProblemCode.INVALID_PARAMETER,
                        "The parameter " + name + " is a number from " + min + " to " + max + ".")
                .asException();
    }

    <T> List<T> cut(List<T> all) {
        int from = Math.min(offset, all.size());
        return all.subList(from, (int) Math.min(all.size(), (long) from + limit));
    }
}

package svc.management.project;

import jakarta.ws.rs.core.MultivaluedMap;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** A part of a list. */
record PageRange(int offset, int limit) {
    private static final int MAX = 1_000;
    private static final Set<String> PLACES = Set.of("limit", "offset");

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

    /**
     * The header Link (RFC 8288) of the page after this one; empty on the last.
     *
     * @param address of the list, without a query
     * @param parameters of this page's request
     * @param total number of entries of the whole list
     */
    Optional<String> next(String address, MultivaluedMap<String, String> parameters, int total) {
        long after = (long) offset + limit;
        if (after >= total) {
            return Optional.empty();
        }
        String others = parameters.entrySet().stream()
                .filter(parameter -> !PLACES.contains(parameter.getKey()))
                .flatMap(parameter -> parameter.getValue().stream()
                        .map(value -> encoded(parameter.getKey()) + "=" + encoded(value) + "&"))
                .sorted()
                .collect(Collectors.joining());
        return Optional.of("<" + address + "?" + others + "limit=" + limit + "&offset=" + after + ">; rel=\"next\"");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    <T> List<T> cut(List<T> all) {
        int from = Math.min(offset, all.size());
        return all.subList(from, (int) Math.min(all.size(), (long) from + limit));
    }
}

package svc.management.audit;

import com.google.re2j.Pattern;
import jakarta.ws.rs.core.MultivaluedMap;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * A validated filter of audit rows.
 *
 * @param actor as in the audit; a token is selected by its id
 * @param since inclusive
 * @param until exclusive
 */
record AuditFilter(
        int limit,
        Optional<AuditCursor> cursor,
        Optional<String> result,
        Optional<String> actor,
        Optional<UUID> token,
        Optional<Instant> since,
        Optional<Instant> until) {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,3}");

    static final int DEFAULT_LIMIT = 50;
    static final int MAX_LIMIT = 100;

    private static final Set<String> ACTORS = Set.of("token", "service_role", "job");
    private static final Set<String> KNOWN = Set.of("limit", "cursor", "result", "actor", "since", "until");
    private static final Set<String> RESULTS = Stream.concat(
                    Stream.of("running"),
                    Arrays.stream(CallResult.Kind.values()).map(CallResult.Kind::wire))
            .collect(Collectors.toUnmodifiableSet());

    /** @throws ProblemException 400 for a parameter that is unknown, repeated or invalid */
    static AuditFilter of(MultivaluedMap<String, String> parameters) {
        parameters.keySet().stream()
                .filter(name -> !KNOWN.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw invalid(
                            "This call has no parameter " + name + ".", "Known parameters: " + words(KNOWN) + ".");
                });
        Optional<String> actor = one(parameters, "actor");
        Optional<UUID> token = actor.filter(text -> !ACTORS.contains(text))
                .map(text ->
                        parsed("actor", text, UUID::fromString, "Use token, service_role, job or the id of a token."));
        return new AuditFilter(
                one(parameters, "limit").map(AuditFilter::limit).orElse(DEFAULT_LIMIT),
                one(parameters, "cursor").map(AuditFilter::cursor),
                one(parameters, "result").map(AuditFilter::result),
                token.isPresent() ? Optional.empty() : actor,
                token,
                one(parameters, "since").map(text -> time("since", text)),
                one(parameters, "until").map(text -> time("until", text)));
    }

    private static Optional<String> one(MultivaluedMap<String, String> parameters, String name) {
        List<String> values = parameters.getOrDefault(name, List.of());
        if (values.size() > 1) {
            throw invalid("The parameter " + name + " occurs more than once.", "Send it once.");
        }
        return values.stream().findFirst();
    }

    private static int limit(String text) {
        if (!NUMBER.matches(text) || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MAX_LIMIT) {
            throw invalid("The parameter limit is invalid.", "Use an integer from 1 to " + MAX_LIMIT + ".");
        }
        return Integer.parseInt(text);
    }

    private static AuditCursor cursor(String text) {
        return AuditCursor.parse(text)
                .orElseThrow(() -> invalid(
                        "The parameter cursor is invalid.",
                        "Send next_cursor of the previous page unchanged, or omit it for the first page."));
    }

    private static String result(String text) {
        if (!RESULTS.contains(text)) {
            throw invalid("The parameter result is invalid.", "Use one of " + words(RESULTS) + ".");
        }
        return text;
    }

    private static Instant time(String name, String text) {
        return parsed(
                name,
                text,
                time -> {
                    OffsetDateTime read = OffsetDateTime.parse(time);
                    if (read.getYear() < 1 || read.getYear() > 9999) {
                        throw new IllegalArgumentException("the database keeps no such time");
                    }
                    return read.toInstant();
                },
                "Use a time such as 2030-01-31T12:00:00Z; encode a + as %2B.");
    }

    private static <T> T parsed(String name, String text, Function<String, T> parser, String hint) {
        try {
            return parser.apply(text);
        } catch (DateTimeException | IllegalArgumentException e) {
            throw invalid("The parameter " + name + " is invalid.", hint);
        }
    }

    private static ProblemException invalid(String detail, String hint) {
        return Problem.of(ProblemCode.INVALID_PARAMETER, detail).withHint(hint).asException();
    }

    private static String words(Set<String> words) {
        return String.join(", ", new TreeSet<>(words));
    }
}

package svc.rest.oracle;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What we answer otherwise than PostgREST 12.0.2, and why. */
enum Difference {
    /** 13: an unknown table is an error before the statement runs. */
    UNKNOWN_TABLE((request, theirs, ours) -> theirs.contains("\"code\":\"42P01\"") && ours.contains("PGRST205")),
    /** 13: an unknown media type is 406 instead of 415, with another message. */
    MEDIA_TYPE((request, theirs, ours) -> theirs.contains("PGRST107") && ours.startsWith("[406")),
    /** 13: other messages for a result that is not one row, and for an unknown column or schema. */
    WORDS((request, theirs, ours) -> Stream.of("PGRST116", "PGRST204", "PGRST106")
            .anyMatch(code -> theirs.contains(code) && ours.contains(code))),
    /** 14: what the parser expected is said of more places. */
    PARSER((request, theirs, ours) -> theirs.contains("PGRST100") && ours.contains("PGRST100")),
    /** 13: spreads of lists. */
    SPREAD_OF_LISTS((request, theirs, ours) -> theirs.contains("PGRST119")),
    /** 13: {@code is.not_null}. */
    NOT_NULL((request, theirs, ours) -> request.contains("is.not_null")),
    /** 13: a resource is compared with a value. */
    RESOURCE_COMPARED((request, theirs, ours) -> ours.contains("PGRST120")),
    /** 13: a path that is none has a code. */
    PATH((request, theirs, ours) -> theirs.endsWith("{}]") && ours.contains("PGRST")),
    /** Parse errors: 12 leaves them to PostgreSQL, or ignores the rest of the line. */
    READ_STRICTLY((request, theirs, ours) -> ours.contains("PGRST100")
            && Stream.of("or=id.eq", "select=(id)", "->>k->n", "tasks)id(").anyMatch(request::contains)),
    /** OPTIONS of a function describes it without resolving the overload. */
    FUNCTION_DESCRIBED((request, theirs, ours) -> request.startsWith("OPTIONS /rpc"));

    private final Rule rule;

    Difference(Rule rule) {
        this.rule = rule;
    }

    private interface Rule {
        boolean explains(String request, String theirs, String ours);
    }

    static Optional<Difference> of(String request, List<String> theirs, List<String> ours) {
        return Stream.of(values())
                .filter(one -> one.rule.explains(request, theirs.toString(), ours.toString()))
                .findFirst();
    }
}

package svc.management.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.management.json.Body;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.tenancy.Tenant;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptParameter;
import svc.postgres.script.ScriptRun;
import svc.postgres.script.ScriptRun.Mode;
import svc.postgres.script.ScriptRun.Results;
import svc.sqlgate.ExecutionMode;
import svc.sqlgate.Verdict;
import svc.sqlgate.mapping.BoundNames;

/**
 * The validated options of a call that runs SQL. Pure.
 *
 * @param mode the transaction around the script
 * @param time timeout of the script
 * @param timeAlone the same of a statement that runs outside of a transaction, which waits for others
 * @param caller whose role the script takes; empty for the owner
 * @param session options of a client that keeps a connection
 */
record QueryCall(
        List<ScriptParameter> parameters,
        Mode mode,
        Results results,
        Duration time,
        Duration timeAlone,
        Optional<CallerRole> caller,
        SessionOptions session) {
    /** The only value of the query parameter {@code results}. */
    private static final String ALL = "all";

    QueryCall {
        parameters = List.copyOf(parameters);
    }

    /**
     * @param results the query parameter; empty for the last rows
     * @param as the values of the query parameter; none for the owner
     * @throws svc.platform.problem.ProblemException 400 with a pointer to the first invalid field
     */
    static QueryCall of(QueryBody body, Optional<String> results, List<String> as, QueryConfig config) {
        Body.required(body);
        Body.required(body.query(), "/query");
        List<JsonParameter> parameters = Optional.ofNullable(body.parameters()).orElse(List.of());
        for (int i = 0; i < parameters.size(); i++) {
            unicode(parameters.get(i), "/parameters/" + i);
        }
        claims(body).ifPresent(claims -> unicode(claims, "/claims"));
        Optional<Duration> time =
                Optional.ofNullable(body.timeoutSeconds()).map(seconds -> time(seconds, config.maxTimeout()));
        return new QueryCall(
                List.copyOf(parameters),
                Boolean.TRUE.equals(body.readOnly()) ? Mode.READ_ONLY : Mode.TRANSACTION,
                results.map(QueryCall::results).orElse(Results.LAST),
                time.orElse(config.timeout()),
                time.orElse(config.maxTimeout()),
                CallerRole.of(as, claims(body)),
                SessionOptions.NONE);
    }

    /** Null is read as a value, also for a field that is not there. */
    private static Optional<JsonParameter> claims(QueryBody body) {
        return Optional.ofNullable(body.claims()).filter(claims -> !(claims instanceof JsonParameter.Nothing));
    }

    /** Without options, as the owner. */
    static QueryCall plain(Mode mode, Duration time) {
        return new QueryCall(List.of(), mode, Results.LAST, time, time, Optional.empty(), SessionOptions.NONE);
    }

    /** The same with the default timeouts. */
    static QueryCall plain(Mode mode, QueryConfig config) {
        return new QueryCall(
                List.of(),
                mode,
                Results.LAST,
                config.timeout(),
                config.maxTimeout(),
                Optional.empty(),
                SessionOptions.NONE);
    }

    /** The run of a script that the gate admitted. */
    ScriptRun run(Verdict.Admitted admitted, Tenant tenant) {
        boolean alone = admitted.executionMode() == ExecutionMode.OUTSIDE_TRANSACTION;
        return new ScriptRun(
                admitted.script().text(),
                bound(admitted.bound()),
                alone ? Mode.OUTSIDE_TRANSACTION : mode,
                results,
                alone ? timeAlone : time,
                caller.map(role -> role.in(tenant)),
                session.formats(),
                session.copy());
    }

    /** What the caller gets of a script that ran: with the tags of its own statements, and the names of its choice. */
    ScriptOutcome.Committed answer(ScriptOutcome.Committed committed, Verdict.Admitted admitted) {
        ScriptOutcome.Committed tagged = committed.withTags(admitted.tags());
        return switch (session.names()) {
            case REAL -> tagged;
            case FAMILIAR -> FamiliarResults.of(tagged, admitted);
        };
    }

    /** The parameters, with the project's own names where they are names. */
    private List<ScriptParameter> bound(BoundNames names) {
        List<ScriptParameter> bound = new ArrayList<>();
        for (ScriptParameter parameter : parameters) {
            int place = bound.size() + 1;
            bound.add(names.places().contains(place) ? new Named(parameter, names, place) : parameter);
        }
        return bound;
    }

    /** A value that is a name: the project's own, of the type that the caller has declared. */
    private record Named(ScriptParameter given, BoundNames names, int place) implements ScriptParameter {
        @Override
        public Optional<String> text(String type) {
            return given.text(type).map(value -> names.toProject(place, value));
        }

        @Override
        public int typeOid() {
            return given.typeOid();
        }
    }

    private static Results results(String word) {
        if (!ALL.equals(word)) {
            throw Problem.of(ProblemCode.INVALID_PARAMETER, "The query parameter results may only be " + ALL + ".")
                    .withHint("Omit it to get the rows of the last statement that returns rows.")
                    .asException();
        }
        return Results.ALL;
    }

    private static Duration time(int seconds, Duration longest) {
        if (seconds < 1 || seconds > longest.toSeconds()) {
            String range = "must be between 1 and " + longest.toSeconds();
            throw Problem.of(ProblemCode.INVALID_BODY, "The field /timeout_seconds " + range + ".")
                    .withError("/timeout_seconds", range)
                    .withHint("Split longer work into several calls.")
                    .asException();
        }
        return Duration.ofSeconds(seconds);
    }

    private static void unicode(JsonParameter parameter, String pointer) {
        if (parameter.json().codePoints().anyMatch(point -> Character.getType(point) == Character.SURROGATE)) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The field " + pointer + " is not valid Unicode.")
                    .withError(pointer, "is not valid Unicode")
                    .asException();
        }
    }
}

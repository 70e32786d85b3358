package svc.rest.request;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.rest.error.ParameterErrors;
import svc.rest.error.RestError;
import svc.rest.request.ApiRequest.Action;
import svc.rest.request.QueryString.Parameter;

/** The parameters of an address, each with the one interpreter that reads it. Pure. */
final class QueryParameters {
    private static final String FILTER_FORM = "Write a filter as column=operator.value, for example id=eq.1";

    private final List<Assigned> assigned;
    private final List<String> bare;
    private final Action action;

    private QueryParameters(List<Assigned> assigned, List<String> bare, Action action) {
        this.assigned = assigned;
        this.bare = bare;
        this.action = action;
    }

    /** A parameter and its role. */
    record Assigned(Parameter parameter, ParameterRole role) {}

    /** @throws RestError PGRST100 for a write with a parameter that would have no effect */
    static QueryParameters of(QueryString query, Action action) {
        boolean queried = action == Action.CALL_READ;
        var parameters = new QueryParameters(
                query.parameters().stream()
                        .map(one -> new Assigned(one, queried ? ParameterRole.ofCall(one) : ParameterRole.of(one)))
                        .toList(),
                query.bare(),
                action);
        if (action.writes()) {
            parameters.requireAllRead();
        }
        return parameters;
    }

    List<Assigned> all() {
        return assigned;
    }

    Optional<String> first(ParameterRole role) {
        return of(role).map(Parameter::value).findFirst();
    }

    List<Parameter> arguments() {
        return of(ParameterRole.ARGUMENT).toList();
    }

    /** All but the gateway's credential, sorted by name. */
    List<Parameter> canonical() {
        return assigned.stream()
                .filter(one -> one.role() != ParameterRole.CREDENTIAL)
                .map(Assigned::parameter)
                .sorted(Comparator.comparing(Parameter::key))
                .toList();
    }

    /**
     * The reserved names whose values can also be meant for a column or an argument of that name, which only the schema
     * decides: {@code apikey=x}, {@code order=eq.desc}; in a call by GET every one.
     */
    Set<String> ambiguousNames() {
        return assigned.stream()
                .filter(this::ambiguous)
                .map(one -> one.parameter().key())
                .collect(Collectors.toUnmodifiableSet());
    }

    private boolean ambiguous(Assigned one) {
        return switch (action) {
            case CALL_READ -> one.role() != ParameterRole.ARGUMENT && one.role() != ParameterRole.FILTER;
            case CALL -> false;
            default ->
                one.role() == ParameterRole.CREDENTIAL
                        || (one.role() == ParameterRole.SELECT || one.role() == ParameterRole.ORDER)
                                && ConditionParser.isOperation(one.parameter().value());
        };
    }

    private Stream<Parameter> of(ParameterRole role) {
        return assigned.stream().filter(one -> one.role() == role).map(Assigned::parameter);
    }

    /** What a read passes over, as PostgREST does, may be half of a filter, without which a write meets every row. */
    private void requireAllRead() {
        bare.stream().findFirst().ifPresent(name -> {
            throw ParameterErrors.unread(name, "it has no value", FILTER_FORM);
        });
        Set<String> names = new HashSet<>();
        for (Assigned one : assigned) {
            String name = one.parameter().key();
            if (one.role().single() && !names.add(name)) {
                throw ParameterErrors.unread(name, "it is given twice", "Give it once.");
            }
            if (unused(one.role())) {
                throw ParameterErrors.unread(name, "this method does not use it", FILTER_FORM);
            }
            if ((one.role() == ParameterRole.LIMIT || one.role() == ParameterRole.OFFSET)
                    && !RowRange.isNumber(one.parameter().value())) {
                throw ParameterErrors.unread(name, "its value is not a number of rows", FILTER_FORM);
            }
        }
    }

    private boolean unused(ParameterRole role) {
        return role == ParameterRole.COLUMNS && action == Action.DELETE
                || role == ParameterRole.ON_CONFLICT && action != Action.INSERT;
    }
}

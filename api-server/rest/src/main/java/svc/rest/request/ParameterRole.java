package svc.rest.request;

import java.util.function.Consumer;
import svc.rest.error.RestError;
import svc.rest.request.QueryString.Parameter;

/**
 * The one interpreter of a query parameter. The name decides, and for a reserved name also the value: {@code limit=eq.5} is a
 * filter of a column {@code limit}, since no limit has the form of an operation. So a filter is never taken for something else
 * and lost, after which a write would meet every row.
 */
enum ParameterRole {
    SELECT,
    COLUMNS,
    ON_CONFLICT,
    /** {@code apikey}: the gateway's. */
    CREDENTIAL,
    ORDER,
    LIMIT,
    OFFSET,
    /** {@code and}, {@code or}, {@code not.and}, {@code not.or}. */
    TREE,
    HAVING,
    DISTINCT,
    FILTER,
    /** An argument of a function that is called by GET. */
    ARGUMENT;

    /** The role of a parameter of a relation, or of a call with its arguments in the body. */
    static ParameterRole of(Parameter parameter) {
        ParameterRole named = named(parameter);
        return named != FILTER && ConditionParser.isOperation(parameter.value()) && !named.accepts(parameter.value())
                ? FILTER
                : named;
    }

    /** The role of a parameter of a call by GET: a value that is no operation is an argument, {@code id=5}. */
    static ParameterRole ofCall(Parameter parameter) {
        ParameterRole role = of(parameter);
        boolean argument = role == HAVING || role == DISTINCT || role == FILTER;
        return argument && !ConditionParser.isOperation(parameter.value()) ? ARGUMENT : role;
    }

    /** Whether the role may be given once only: a second value would not be read. */
    boolean single() {
        return this != FILTER && this != TREE && this != HAVING && this != ARGUMENT;
    }

    private static ParameterRole named(Parameter parameter) {
        String key = parameter.key();
        String word = parameter.lastSegment();
        boolean root = word.length() == key.length();
        return switch (word) {
            case "select" -> root ? SELECT : FILTER;
            case "columns" -> root ? COLUMNS : FILTER;
            case "on_conflict" -> root ? ON_CONFLICT : FILTER;
            case "apikey" -> root ? CREDENTIAL : FILTER;
            case "order" -> ORDER;
            case "limit" -> LIMIT;
            case "offset" -> OFFSET;
            case "and", "or" -> TREE;
            // Extensions, which PostgREST reads as filters.
            case "having" -> parameter.value().startsWith("(") ? HAVING : FILTER;
            case RowSelection.Distinct.WORD -> parameter.value().indexOf('.') < 0 ? DISTINCT : FILTER;
            default -> FILTER;
        };
    }

    /** Whether a value in the form of an operation is also one of this role: {@code order=eq.desc}, by a column eq. */
    boolean accepts(String operation) {
        return switch (this) {
            case SELECT -> parses(SelectParser::read, operation);
            case ORDER -> parses(OrderTerm::readAll, operation);
            default -> false;
        };
    }

    private static boolean parses(Consumer<String> parser, String text) {
        try {
            parser.accept(text);
            return true;
        } catch (RestError e) {
            return false;
        }
    }
}

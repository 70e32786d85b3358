package svc.graphql.schema;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An operator of a filter on one column. */
public enum FilterOperator {
    EQ("eq"),
    NEQ("neq"),
    GT("gt"),
    GTE("gte"),
    LT("lt"),
    LTE("lte"),
    IN("in"),
    IS("is"),
    STARTS_WITH("startsWith"),
    LIKE("like"),
    ILIKE("ilike"),
    REGEX("regex"),
    IREGEX("iregex"),
    CONTAINS("contains"),
    CONTAINED_BY("containedBy"),
    OVERLAPS("overlaps"),
    HAS_KEY("hasKey"),
    PATH_EXISTS("pathExists"),
    PATH_MATCHES("pathMatches");

    private static final Map<String, FilterOperator> BY_NAME =
            Stream.of(values()).collect(Collectors.toMap(FilterOperator::field, Function.identity()));

    private final String field;

    FilterOperator(String field) {
        this.field = field;
    }

    /** Its field in the input type. */
    public String field() {
        return field;
    }

    public static Optional<FilterOperator> named(String field) {
        return Optional.ofNullable(BY_NAME.get(field));
    }
}

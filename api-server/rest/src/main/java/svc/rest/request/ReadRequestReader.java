package svc.rest.request;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.rest.request.QueryString.Parameter;

/**
 * Parses the parameters of a read. A parameter's key is a path of embedded resources and a last segment: a reserved word or
 * the field of a filter.
 */
final class ReadRequestReader {
    private final Map<List<String>, Rows> byPath = new LinkedHashMap<>();

    private ReadRequestReader() {}

    static ReadRequest read(QueryParameters parameters) {
        var reader = new ReadRequestReader();
        parameters.all().forEach(one -> reader.parameter(one.role(), one.parameter()));
        Map<List<String>, RowSelection> embedded = new LinkedHashMap<>();
        reader.byPath.forEach((path, rows) -> embedded.put(path, rows.done()));
        RowSelection root =
                Optional.ofNullable(embedded.remove(List.<String>of())).orElse(RowSelection.ALL);
        return new ReadRequest(
                SelectParser.read(parameters.first(ParameterRole.SELECT).orElse("")), root, embedded);
    }

    private void parameter(ParameterRole role, Parameter parameter) {
        String key = parameter.key();
        String value = parameter.value();
        switch (role) {
            case ORDER -> rows(pathOf(key)).order(value);
            case LIMIT -> rows(pathOf(key)).limit(value);
            case OFFSET -> rows(pathOf(key)).offset(value);
            case TREE -> tree(key, parameter.lastSegment(), value);
            case HAVING -> rows(pathOf(key)).having(ConditionParser.tree(false, "and", value));
            case DISTINCT -> rows(pathOf(key)).distinct = Optional.of(RowSelection.Distinct.read(value));
            case FILTER -> filter(key, value);
            case SELECT, COLUMNS, ON_CONFLICT, CREDENTIAL, ARGUMENT -> {
                // Not of the rows that are read.
            }
        }
    }

    private void tree(String key, String operator, String value) {
        List<String> path = new ArrayList<>(pathOf(key));
        boolean negated = path.remove("not");
        rows(path).where(ConditionParser.tree(negated, operator, value));
    }

    private void filter(String key, String value) {
        var cursor = new Cursor("tree path", key);
        List<String> path = new ArrayList<>();
        String name = cursor.name();
        while (cursor.take(".")) {
            path.add(name);
            name = cursor.name();
        }
        Field field = new Field(name, Field.path(cursor));
        cursor.requireEnd();
        rows(path).where(ConditionParser.filter(field, value));
    }

    /** The names before the last segment. */
    private static List<String> pathOf(String key) {
        int dot = key.lastIndexOf('.');
        if (dot < 0) {
            return List.of();
        }
        var cursor = new Cursor("tree path", key.substring(0, dot));
        List<String> path = new ArrayList<>();
        do {
            path.add(cursor.name());
        } while (cursor.take("."));
        cursor.requireEnd();
        return path;
    }

    private Rows rows(List<String> path) {
        return byPath.computeIfAbsent(List.copyOf(path), unused -> new Rows());
    }

    /** Collects the parameters of one relation. */
    private static final class Rows {
        private final List<Condition> conditions = new ArrayList<>();
        private Condition having = Condition.ALWAYS;
        private List<OrderTerm> order = List.of();
        private Optional<String> limit = Optional.empty();
        private Optional<String> offset = Optional.empty();
        private Optional<RowSelection.Distinct> distinct = Optional.empty();

        void where(Condition condition) {
            conditions.add(condition);
        }

        void having(Condition condition) {
            having = having.and(condition);
        }

        void order(String text) {
            List<OrderTerm> read = OrderTerm.readAll(text);
            order = order.isEmpty() ? read : order;
        }

        void limit(String text) {
            limit = Optional.of(text);
        }

        void offset(String text) {
            offset = Optional.of(text);
        }

        RowSelection done() {
            return new RowSelection(
                    new Condition.And(conditions), having, order, RowRange.read(limit, offset), distinct);
        }
    }
}

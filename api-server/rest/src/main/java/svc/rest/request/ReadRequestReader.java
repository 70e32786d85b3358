package svc.rest.request;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.rest.request.QueryString.Parameter;

/**
 * Parses the parameters of a read. A parameter's key is a path of embedded resources and a last segment: a reserved word or
 * the field of a filter.
 */
final class ReadRequestReader {
    private static final Set<String> ROOT_PARAMETERS = Set.of("select", "columns", "on_conflict", "apikey");

    private final Map<List<String>, Rows> byPath = new LinkedHashMap<>();

    private ReadRequestReader() {}

    static ReadRequest read(QueryString parameters) {
        var reader = new ReadRequestReader();
        for (Parameter parameter : parameters.parameters()) {
            if (!ROOT_PARAMETERS.contains(parameter.key())) {
                reader.parameter(parameter.key(), parameter.value());
            }
        }
        Map<List<String>, RowSelection> embedded = new LinkedHashMap<>();
        reader.byPath.forEach((path, rows) -> embedded.put(path, rows.done()));
        RowSelection root =
                Optional.ofNullable(embedded.remove(List.<String>of())).orElse(RowSelection.ALL);
        return new ReadRequest(SelectParser.read(parameters.first("select").orElse("")), root, embedded);
    }

    private void parameter(String key, String value) {
        String word = key.substring(key.lastIndexOf('.') + 1);
        switch (word) {
            case "order" -> rows(pathOf(key)).order(value);
            case "limit" -> rows(pathOf(key)).limit(value);
            case "offset" -> rows(pathOf(key)).offset(value);
            case "and", "or" -> tree(key, word, value);
            default -> {
                if (!extension(key, word, value)) {
                    filter(key, value);
                }
            }
        }
    }

    private void tree(String key, String operator, String value) {
        List<String> path = new ArrayList<>(pathOf(key));
        boolean negated = path.remove("not");
        rows(path).where(ConditionParser.tree(negated, operator, value));
    }

    /**
     * Parameters that PostgREST does not have. They differ from filters, whose value starts with an operator and a dot.
     */
    private boolean extension(String key, String word, String value) {
        if (word.equals("having") && value.startsWith("(")) {
            rows(pathOf(key)).having(ConditionParser.tree(false, "and", value));
            return true;
        }
        if (word.equals(RowSelection.Distinct.WORD) && value.indexOf('.') < 0) {
            rows(pathOf(key)).distinct = Optional.of(RowSelection.Distinct.read(value));
            return true;
        }
        return false;
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

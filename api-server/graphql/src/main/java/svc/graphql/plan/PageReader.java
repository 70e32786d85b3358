package svc.graphql.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import svc.graphql.document.SelectedField;
import svc.graphql.error.GraphqlError;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.SchemaExtensions.Relation;
import svc.platform.json.ForeignJson;

/** Reads the order and the page of a collection. */
final class PageReader {
    private static final ObjectMapper JSON =
            ForeignJson.mapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private static final int MAX_ORDER_TERMS = 50;

    /** Steps from a row to the one that orders it. */
    private static final int MAX_PATH = 5;

    private final Planning planning;
    private final Entity entity;
    private final SelectedField field;

    /** The terms that the field asks for; those after them are of the key. */
    private int asked;

    PageReader(Planning planning, Entity entity, SelectedField field) {
        this.planning = planning;
        this.entity = entity;
        this.field = field;
    }

    /** The columns of which each combination of values shall have one row; empty for all rows. */
    List<EntityColumn> distinct() {
        List<EntityColumn> columns = new ArrayList<>();
        field.argument("distinctOn").ifPresent(value -> {
            if (value.size() > MAX_ORDER_TERMS) {
                throw new GraphqlError("distinctOn has more than " + MAX_ORDER_TERMS + " columns");
            }
            for (JsonNode element : value.isArray() ? value : List.of(value)) {
                columns.add(entity.column(element.asText())
                        .filter(EntityColumn::isOrderable)
                        .filter(column -> !columns.contains(column))
                        .orElseThrow(() -> new GraphqlError("Invalid input for " + entity.columnNameType() + " type")));
            }
        });
        return columns;
    }

    /**
     * The order that the field asks for, then the columns of the key that it does not name. It begins with the distinct
     * columns.
     */
    List<OrderTerm> order(List<EntityColumn> distinct) {
        List<OrderTerm> terms = order();
        if (distinct.isEmpty()) {
            return terms;
        }
        List<OrderTerm> ordered = new ArrayList<>();
        for (OrderTerm term : terms.subList(0, Math.min(asked, distinct.size()))) {
            if (distinct.stream().noneMatch(term::isOf) || ordered.stream().anyMatch(one -> one.isOf(term.column()))) {
                throw new GraphqlError("orderBy must begin with the columns of distinctOn");
            }
            ordered.add(term);
        }
        for (EntityColumn column : distinct) {
            if (ordered.stream().noneMatch(term -> term.isOf(column))) {
                ordered.add(new OrderTerm(List.of(), column, false, false));
            }
        }
        terms.stream()
                .filter(term -> ordered.stream().noneMatch(one -> term.path().isEmpty() && one.isOf(term.column())))
                .forEach(ordered::add);
        return ordered;
    }

    private List<OrderTerm> order() {
        List<OrderTerm> terms = new ArrayList<>();
        field.argument("orderBy").ifPresent(value -> {
            for (JsonNode element : value.isArray() ? value : List.of(value)) {
                terms(entity, List.of(), element, terms);
            }
        });
        if (terms.size() > MAX_ORDER_TERMS) {
            throw new GraphqlError("orderBy has more than " + MAX_ORDER_TERMS + " columns");
        }
        asked = terms.size();
        for (EntityColumn column : entity.key()) {
            if (terms.stream().noneMatch(term -> term.isOf(column))) {
                terms.add(new OrderTerm(List.of(), column, false, false));
            }
        }
        return terms;
    }

    private void terms(Entity of, List<OrderTerm.Step> path, JsonNode element, List<OrderTerm> terms) {
        if (!element.isObject()) {
            throw new GraphqlError("Invalid input for " + of.orderByType() + " type");
        }
        for (Map.Entry<String, JsonNode> one : element.properties()) {
            Optional<EntityColumn> column = of.column(one.getKey()).filter(EntityColumn::isOrderable);
            if (column.isPresent()) {
                term(path, column.get(), one.getValue(), terms);
            } else {
                related(of, path, one, terms);
            }
        }
    }

    private void related(Entity of, List<OrderTerm.Step> path, Map.Entry<String, JsonNode> one, List<OrderTerm> terms) {
        Relation relation = planning.schema()
                .extensions()
                .order(of, one.getKey())
                .orElseThrow(() -> new GraphqlError(
                        "Input for type " + of.orderByType() + " contains extra keys [\"" + one.getKey() + "\"]"));
        if (one.getValue().isNull()) {
            return;
        }
        if (path.size() >= MAX_PATH) {
            throw new GraphqlError("orderBy follows more than " + MAX_PATH + " relations");
        }
        planning.related(relation.target());
        List<OrderTerm.Step> further = new ArrayList<>(path);
        further.add(new OrderTerm.Step(relation.target(), relation.columns()));
        terms(relation.target(), further, one.getValue(), terms);
    }

    private static void term(
            List<OrderTerm.Step> path, EntityColumn column, JsonNode direction, List<OrderTerm> terms) {
        if (direction.isNull()) {
            return;
        }
        terms.add(
                switch (direction.asText()) {
                    case "AscNullsFirst" -> new OrderTerm(path, column, false, true);
                    case "AscNullsLast" -> new OrderTerm(path, column, false, false);
                    case "DescNullsFirst" -> new OrderTerm(path, column, true, true);
                    case "DescNullsLast" -> new OrderTerm(path, column, true, false);
                    default -> throw new GraphqlError("Invalid input for OrderByDirection type");
                });
    }

    /** @param maxRows the size of a page without {@code first} and {@code last}, and the most that they give */
    Page page(List<OrderTerm> order, long maxRows) {
        OptionalLong first = number("first");
        OptionalLong last = number("last");
        OptionalLong offset = number("offset");
        Optional<JsonNode> before = field.argument("before");
        Optional<JsonNode> after = field.argument("after");
        if (first.isPresent() && last.isPresent()) {
            throw new GraphqlError("only one of \"first\" and \"last\" may be provided");
        }
        if (before.isPresent() && after.isPresent()) {
            throw new GraphqlError("only one of \"before\" and \"after\" may be provided");
        }
        if (first.isPresent() && before.isPresent()) {
            throw new GraphqlError("\"first\" may only be used with \"after\"");
        }
        if (last.isPresent() && after.isPresent()) {
            throw new GraphqlError("\"last\" may only be used with \"before\"");
        }
        if (offset.isPresent() && (last.isPresent() || before.isPresent())) {
            throw new GraphqlError("\"offset\" may only be used with \"first\" and \"after\"");
        }
        boolean backward = last.isPresent() || before.isPresent();
        long wanted = first.orElse(last.orElse(maxRows));
        return new Page(
                Math.min(wanted, maxRows),
                backward,
                offset.orElse(0),
                before.or(() -> after).map(cursor -> cursor(cursor, order.size())));
    }

    private OptionalLong number(String argument) {
        Optional<JsonNode> value = field.argument(argument);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!value.get().isIntegralNumber() || !value.get().canConvertToInt()) {
            throw new GraphqlError("Invalid input for Int type");
        }
        if (value.get().intValue() < 0) {
            throw new GraphqlError("`" + argument + "` must be an unsigned integer");
        }
        return OptionalLong.of(value.get().intValue());
    }

    private Page.Cursor cursor(JsonNode value, int columns) {
        planning.copies((long) columns * value.asText().length());
        JsonNode array;
        try {
            array = JSON.readTree(new String(
                    Base64.getDecoder().decode(value.isTextual() ? value.textValue() : ""), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException | JsonProcessingException e) {
            throw new GraphqlError("Failed to decode cursor");
        }
        if (array == null || !array.isArray()) {
            throw new GraphqlError("Failed to decode cursor");
        }
        if (array.size() != columns) {
            throw new GraphqlError("orderBy clause incompatible with pagination cursor");
        }
        List<String> values = new ArrayList<>();
        for (JsonNode element : array) {
            if (element.isContainerNode()) {
                throw new GraphqlError("Failed to decode cursor");
            }
            values.add(element.isNull() ? null : InputText.text(element));
        }
        return new Page.Cursor(values);
    }
}

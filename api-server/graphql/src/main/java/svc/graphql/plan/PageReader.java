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
import svc.platform.json.ForeignJson;

/** Reads the order and the page of a collection. */
final class PageReader {
    private static final ObjectMapper JSON =
            ForeignJson.mapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private static final int MAX_ORDER_TERMS = 50;

    private final Entity entity;
    private final SelectedField field;

    PageReader(Entity entity, SelectedField field) {
        this.entity = entity;
        this.field = field;
    }

    /** The order that the field asks for, then the columns of the key that it does not name. */
    List<OrderTerm> order() {
        List<OrderTerm> terms = new ArrayList<>();
        field.argument("orderBy").ifPresent(value -> {
            for (JsonNode element : value.isArray() ? value : List.of(value)) {
                if (!element.isObject()) {
                    throw new GraphqlError("Invalid input for " + entity.orderByType() + " type");
                }
                element.properties().forEach(one -> term(one, terms));
            }
        });
        if (terms.size() > MAX_ORDER_TERMS) {
            throw new GraphqlError("orderBy has more than " + MAX_ORDER_TERMS + " columns");
        }
        for (EntityColumn column : entity.key()) {
            if (terms.stream().noneMatch(term -> term.column().equals(column))) {
                terms.add(new OrderTerm(column, false, false));
            }
        }
        return terms;
    }

    private void term(Map.Entry<String, JsonNode> one, List<OrderTerm> terms) {
        EntityColumn column = entity.column(one.getKey())
                .filter(EntityColumn::isOrderable)
                .orElseThrow(() -> new GraphqlError(
                        "Input for type " + entity.orderByType() + " contains extra keys [\"" + one.getKey() + "\"]"));
        if (one.getValue().isNull()) {
            return;
        }
        terms.add(
                switch (one.getValue().asText()) {
                    case "AscNullsFirst" -> new OrderTerm(column, false, true);
                    case "AscNullsLast" -> new OrderTerm(column, false, false);
                    case "DescNullsFirst" -> new OrderTerm(column, true, true);
                    case "DescNullsLast" -> new OrderTerm(column, true, false);
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

    private static Page.Cursor cursor(JsonNode value, int columns) {
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

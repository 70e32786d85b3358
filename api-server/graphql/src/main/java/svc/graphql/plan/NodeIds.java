package svc.graphql.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import svc.graphql.error.GraphqlError;
import svc.graphql.schema.Entity;
import svc.graphql.schema.FilterOperator;
import svc.graphql.schema.GraphqlSchema;
import svc.platform.json.ForeignJson;

/** A node id: base64 of a JSON array of schema, table and key. */
record NodeIds(String schema, String table, List<JsonNode> key) {
    private static final ObjectMapper JSON =
            ForeignJson.mapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    /** @throws GraphqlError with the number of the step that failed, as in pg_graphql */
    static NodeIds read(JsonNode value) {
        if (!value.isTextual()) {
            throw invalid(1);
        }
        JsonNode array;
        try {
            byte[] json = Base64.getDecoder().decode(value.textValue());
            array = JSON.readTree(new String(json, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw invalid(2);
        } catch (JsonProcessingException e) {
            throw invalid(3);
        }
        if (array == null || !array.isArray() || array.size() < 3) {
            throw invalid(4);
        }
        if (!array.get(0).isTextual() || !array.get(1).isTextual()) {
            throw invalid(5);
        }
        List<JsonNode> key = new ArrayList<>();
        for (int i = 2; i < array.size(); i++) {
            key.add(array.get(i));
        }
        return new NodeIds(array.get(0).textValue(), array.get(1).textValue(), key);
    }

    private static GraphqlError invalid(int number) {
        return new GraphqlError("Invalid value passed to nodeId argument. Error " + number);
    }

    Entity entity(GraphqlSchema known) {
        return known.entities().values().stream()
                .filter(this::isOf)
                .findFirst()
                .orElseThrow(
                        () -> new GraphqlError("Collection referenced by nodeId did not match any known collection"));
    }

    private boolean isOf(Entity entity) {
        return entity.schemaName().equals(schema) && entity.table().name().equals(table);
    }

    Condition condition(Entity entity) {
        if (!isOf(entity)) {
            throw new GraphqlError("nodeId belongs to a different collection");
        }
        if (key.size() != entity.key().size()) {
            throw invalid(6);
        }
        List<Condition> parts = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            JsonNode value = key.get(i);
            if (value.isContainerNode()) {
                throw invalid(7);
            }
            parts.add(
                    value.isNull()
                            ? new Condition.Unknown()
                            : new Condition.Compare(entity.key().get(i), FilterOperator.EQ, InputText.text(value)));
        }
        return new Condition.All(parts);
    }
}

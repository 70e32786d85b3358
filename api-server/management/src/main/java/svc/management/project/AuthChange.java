package svc.management.project;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.crds.project.auth.AuthSpec;
import svc.management.json.StrictJson;
import svc.management.problem.JsonProblem;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * A change of a project's auth settings, under the names that they have in {@code Project.spec.auth}: a merge patch (RFC
 * 7396), so what is left out stays and null takes back the default. Where the settings name a Secret, a caller of this API
 * gives the value itself, {@code {"value": "…"}}; it is kept in a Secret of the project's own, and never shown again. A
 * Secret can be named only where the project names it already, for others lie beside it.
 *
 * @param patch as it came
 */
record AuthChange(ObjectNode patch) {
    private static final ObjectMapper JSON =
            StrictJson.get().copy().setPropertyNamingStrategy(PropertyNamingStrategies.LOWER_CAMEL_CASE);

    private static final String REFERENCE = "Ref";
    private static final String VALUE = "value";
    private static final String PROVIDERS = "providers";
    private static final String CLIENT_SECRET = "clientSecretRef";
    private static final int LONGEST_VALUE = 16_384;
    private static final int MOST_VALUES = 64;

    /** @throws ProblemException 400 for what is no object */
    static AuthChange of(JsonNode patch) {
        if (patch instanceof ObjectNode object) {
            return new AuthChange(object.deepCopy());
        }
        throw refused("/auth", "must be an object");
    }

    /** The settings as the API shows them. */
    static JsonNode shown(AuthSpec spec) {
        return JSON.valueToTree(spec);
    }

    /** The values that the patch brings, in the order of their places. */
    List<String> values() {
        List<String> values = new ArrayList<>();
        walked(patch.deepCopy(), Optional.empty(), "/auth", (pointer, value) -> {
            values.add(value);
            return JSON.nullNode();
        });
        if (values.size() > MOST_VALUES) {
            throw refused("/auth", "brings more than " + MOST_VALUES + " values of Secrets");
        }
        return values;
    }

    /** What is done with a value, and what stands in its place. */
    private interface Keeper {
        JsonNode kept(String pointer, String value);
    }

    /**
     * The settings with the change.
     *
     * @param names of the Secrets that keep {@link #values}, in their order
     * @throws ProblemException 400 with a pointer for a field that is none or has another type, and for a Secret that is not
     *     the project's
     */
    AuthSpec over(AuthSpec current, List<String> names) {
        ObjectNode before = (ObjectNode) shown(current);
        ObjectNode change = patch.deepCopy();
        var next = names.iterator();
        walked(
                change,
                Optional.of(before),
                "/auth",
                (pointer, value) ->
                        JSON.createObjectNode().put("name", next.next()).put("key", ProjectSecretValues.KEY));
        keepProviders(before, change);
        try {
            JsonNode after = JSON.createObjectNode().set("auth", merged(before, change));
            return JSON.treeToValue(after, Holder.class).auth();
        } catch (JsonProcessingException e) {
            throw JsonProblem.of(e).asException();
        }
    }

    /** So that pointers begin where the caller's do. */
    private record Holder(AuthSpec auth) {}

    /** @param before what stands in the same place now; empty when that does not matter */
    private static void walked(JsonNode node, Optional<JsonNode> before, String pointer, Keeper keeper) {
        if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                JsonNode element = array.get(i);
                Optional<JsonNode> same =
                        before.map(list -> named(list, element.path("name").asText()));
                walked(element, same, pointer + "/" + i, keeper);
            }
        } else if (node instanceof ObjectNode object) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                String place = pointer + "/" + name;
                JsonNode member = object.get(name);
                Optional<JsonNode> same = before.map(there -> there.path(name));
                if (!name.endsWith(REFERENCE) || !member.isObject()) {
                    walked(member, same, place, keeper);
                } else if (member.has(VALUE)) {
                    object.set(name, keeper.kept(place, value(member, place)));
                } else if (same.filter(there -> !there.equals(member)).isPresent()) {
                    throw refused(place, "cannot name a Secret here: give the value, {\"value\": \"…\"}");
                }
            }
        }
    }

    private static String value(JsonNode reference, String place) {
        String text = reference.path(VALUE).isTextual() ? reference.path(VALUE).textValue() : "";
        if (reference.size() != 1 || text.isBlank() || text.length() > LONGEST_VALUE) {
            throw refused(
                    place,
                    "must be {\"value\": \"…\"} with a text of 1 to " + LONGEST_VALUE
                            + " characters, and nothing else");
        }
        return text;
    }

    /** A provider that is named again without its secret keeps it: lists are replaced as a whole otherwise. */
    private static void keepProviders(ObjectNode before, ObjectNode change) {
        for (JsonNode provider : change.path(PROVIDERS)) {
            JsonNode known = named(before.path(PROVIDERS), provider.path("name").asText());
            if (provider instanceof ObjectNode object && !object.has(CLIENT_SECRET) && known.has(CLIENT_SECRET)) {
                object.set(CLIENT_SECRET, known.get(CLIENT_SECRET));
            }
        }
    }

    /** The element of a list that has a name; nothing when none has it. */
    private static JsonNode named(JsonNode list, String name) {
        for (JsonNode element : list) {
            if (element.path("name").asText().equals(name)) {
                return element;
            }
        }
        return MissingNode.getInstance();
    }

    private static ObjectNode merged(ObjectNode before, ObjectNode change) {
        ObjectNode merged = before.deepCopy();
        change.properties().forEach(member -> {
            String name = member.getKey();
            JsonNode value = member.getValue();
            if (value.isNull()) {
                merged.remove(name);
            } else if (value instanceof ObjectNode object && !name.endsWith(REFERENCE)) {
                ObjectNode under = merged.path(name) instanceof ObjectNode there ? there : JSON.createObjectNode();
                merged.set(name, merged(under, object));
            } else {
                merged.set(name, value);
            }
        });
        return merged;
    }

    private static ProblemException refused(String pointer, String why) {
        return Problem.of(ProblemCode.INVALID_BODY, "The field " + pointer + " " + why + ".")
                .withError(pointer, why)
                .asException();
    }
}

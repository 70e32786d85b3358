package svc.management.project;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import svc.crds.project.auth.AuthSpec;
import svc.crds.project.auth.VerifyKeySet;
import svc.crds.project.auth.VerifyKeyType;
import svc.management.json.JsonMergePatch;
import svc.management.json.StrictJson;
import svc.management.problem.JsonProblem;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * A change of a project's auth settings, with the field names of {@code Project.spec.auth}: a merge patch (RFC 7396), in
 * which null restores a default. Where the settings reference a Secret, the caller sends the value itself, {@code
 * {"value": "…"}}; it is stored in a Secret of the project and never returned. A patch may repeat a reference that the
 * settings have already and no other, because Secrets of other projects lie in the same namespace. Pure.
 *
 * @param patch as received
 */
record AuthChange(ObjectNode patch) {
    private static final ObjectMapper JSON =
            StrictJson.get().copy().setPropertyNamingStrategy(PropertyNamingStrategies.LOWER_CAMEL_CASE);

    private static final String REFERENCE = "Ref";
    private static final String VALUE = "value";
    private static final String NAME = "name";
    private static final String ROOT = "/auth";
    private static final String PROVIDERS = "providers";
    private static final String CLIENT_SECRET = "clientSecretRef";
    private static final int MAX_VALUE_LENGTH = 16_384;
    private static final int MAX_VALUES = 64;

    /** @throws ProblemException 400 if it is not an object, or brings an unusable key set */
    static AuthChange of(JsonNode patch) {
        if (patch instanceof ObjectNode object) {
            var change = new AuthChange(object);
            change.checkKeySets();
            return change;
        }
        throw refused(ROOT, "must be an object");
    }

    /** The settings as the API shows them. */
    static JsonNode shown(AuthSpec spec) {
        return JSON.valueToTree(spec);
    }

    /** The Secret values that the patch brings, in document order. */
    List<String> values() {
        List<String> values = values(patch, ROOT).toList();
        if (values.size() > MAX_VALUES) {
            throw refused(ROOT, "contains more than " + MAX_VALUES + " Secret values");
        }
        return values;
    }

    /** @throws ProblemException 400 for a key set that the data plane would use in part or not at all */
    private void checkKeySets() {
        JsonNode keys = patch.path("jwt").path("verifyKeys");
        for (int i = 0; i < keys.size(); i++) {
            JsonNode value = keys.path(i).path("secretKeyRef").path(VALUE);
            if (keys.path(i).path("type").asText().equals(VerifyKeyType.JWKS.name()) && value.isTextual()) {
                String place = ROOT + "/jwt/verifyKeys/" + i;
                VerifyKeySet.fault(value.textValue()).ifPresent(why -> {
                    throw refused(place, "cannot be used: " + why);
                });
            }
        }
    }

    private static Stream<String> values(JsonNode node, String pointer) {
        return switch (node) {
            case ArrayNode array ->
                IntStream.range(0, array.size()).boxed().flatMap(i -> values(array.get(i), pointer + "/" + i));
            case ObjectNode object ->
                object.properties().stream().flatMap(member -> {
                    String place = pointer + "/" + member.getKey();
                    JsonNode value = member.getValue();
                    if (!isReference(member.getKey(), value)) {
                        return values(value, place);
                    }
                    return value.has(VALUE) ? Stream.of(value(value, place)) : Stream.empty();
                });
            default -> Stream.empty();
        };
    }

    private static boolean isReference(String name, JsonNode value) {
        return name.endsWith(REFERENCE) && value.isObject();
    }

    private static String value(JsonNode reference, String place) {
        String text = reference.path(VALUE).isTextual() ? reference.path(VALUE).textValue() : "";
        if (reference.size() != 1 || text.isBlank() || text.length() > MAX_VALUE_LENGTH) {
            throw refused(
                    place,
                    "must be {\"value\": \"…\"} with a string of 1 to " + MAX_VALUE_LENGTH
                            + " characters, and no other member");
        }
        return text;
    }

    /**
     * The settings with the patch applied.
     *
     * @param secrets names of the Secrets that store {@link #values}, in their order
     * @throws ProblemException 400 with a pointer to an unknown field, to one of another type, or to a Secret that does not
     *     belong to the project
     */
    AuthSpec over(AuthSpec current, List<String> secrets) {
        JsonNode before = shown(current);
        JsonNode change = withKeptClientSecrets(withReferences(patch, before, ROOT, secrets.iterator()), before);
        try {
            JsonNode after = JSON.createObjectNode().set("auth", JsonMergePatch.apply(before, change));
            return JSON.treeToValue(after, Holder.class).auth();
        } catch (JsonProcessingException e) {
            throw JsonProblem.of(e).asException();
        }
    }

    /** Makes the pointers of a deserialization error begin at {@code /auth}, as in the request body. */
    private record Holder(AuthSpec auth) {}

    /**
     * A copy in which each Secret value is replaced by a reference to the Secret that stores it.
     *
     * @param before the current settings at the same place
     */
    private static JsonNode withReferences(JsonNode node, JsonNode before, String pointer, Iterator<String> secrets) {
        if (node instanceof ArrayNode array) {
            ArrayNode result = JSON.createArrayNode();
            for (int i = 0; i < array.size(); i++) {
                JsonNode element = array.get(i);
                JsonNode same = named(before, element.path(NAME).asText());
                result.add(withReferences(element, same, pointer + "/" + i, secrets));
            }
            return result;
        }
        if (!(node instanceof ObjectNode object)) {
            return node;
        }
        ObjectNode result = JSON.createObjectNode();
        object.properties().forEach(member -> {
            String name = member.getKey();
            String place = pointer + "/" + name;
            JsonNode value = member.getValue();
            JsonNode same = before.path(name);
            result.set(
                    name,
                    isReference(name, value)
                            ? reference(value, same, place, secrets)
                            : withReferences(value, same, place, secrets));
        });
        return result;
    }

    private static JsonNode reference(JsonNode given, JsonNode before, String place, Iterator<String> secrets) {
        if (given.has(VALUE)) {
            return JSON.createObjectNode().put(NAME, secrets.next()).put("key", ProjectSecretValues.KEY);
        }
        if (!given.equals(before)) {
            throw refused(place, "cannot name a Secret: send the value instead, {\"value\": \"…\"}");
        }
        return given;
    }

    /** A provider that the patch names without its client secret keeps it, although a merge patch replaces lists. */
    private static JsonNode withKeptClientSecrets(JsonNode change, JsonNode before) {
        if (!(change.path(PROVIDERS) instanceof ArrayNode providers)) {
            return change;
        }
        ArrayNode kept = JSON.createArrayNode();
        for (JsonNode provider : providers) {
            JsonNode known = named(before.path(PROVIDERS), provider.path(NAME).asText());
            boolean keeps = provider.isObject() && !provider.has(CLIENT_SECRET) && known.has(CLIENT_SECRET);
            kept.add(
                    keeps ? ((ObjectNode) provider.deepCopy()).set(CLIENT_SECRET, known.get(CLIENT_SECRET)) : provider);
        }
        return ((ObjectNode) change.deepCopy()).set(PROVIDERS, kept);
    }

    /** The element of a list with that name; a missing node if there is none. */
    private static JsonNode named(JsonNode list, String name) {
        for (JsonNode element : list) {
            if (element.path(NAME).asText().equals(name)) {
                return element;
            }
        }
        return MissingNode.getInstance();
    }

    private static ProblemException refused(String pointer, String why) {
        return Problem.of(ProblemCode.INVALID_BODY, "The field " + pointer + " " + why + ".")
                .withError(pointer, why)
                .asException();
    }
}

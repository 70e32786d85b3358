package svc.management.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import svc.crds.project.auth.ProviderType;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** The fields {@code external_<provider>_…} of Supabase's auth settings, and the list of providers of the spec. Pure. */
final class ExternalProviders {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Map<String, ProviderType> TYPES = Arrays.stream(ProviderType.values())
            .filter(type -> type.settingsName().isPresent())
            .collect(Collectors.toUnmodifiableMap(type -> type.settingsName().orElseThrow(), type -> type));

    private static final Pattern FIELD = Pattern.compile("external_(" + String.join("|", new TreeSet<>(TYPES.keySet()))
            + ")_(enabled|client_id|secret|url|skip_nonce_check)");

    /** By the fields of the spec. */
    private static final Map<String, String> MEMBERS = Map.of(
            "enabled", "enabled",
            "client_id", "clientId",
            "url", "issuer",
            "skip_nonce_check", "skipNonceCheck");

    private static final String NAME = "name";
    private static final String PROVIDERS = "providers";
    private static final String SECRET = "secret";
    private static final String CLIENT_SECRET = "clientSecretRef";

    private ExternalProviders() {}

    static boolean is(String field) {
        return FIELD.matcher(field).matches();
    }

    static void show(JsonNode auth, ObjectNode shown) {
        new TreeSet<>(TYPES.keySet()).forEach(name -> {
            JsonNode provider = find(auth.path(PROVIDERS), name).orElse(null);
            shown.put(
                    prefix(name) + "enabled",
                    provider != null && provider.path("enabled").asBoolean());
            if (provider != null) {
                MEMBERS.forEach((field, member) -> {
                    if (provider.has(member)) {
                        shown.set(prefix(name) + field, provider.get(member));
                    }
                });
            }
        });
    }

    /** @param patch of the section; gets the whole list, because a merge patch replaces lists */
    static void change(ObjectNode body, JsonNode auth, ObjectNode patch) {
        if (body.properties().stream().noneMatch(member -> is(member.getKey()))) {
            return;
        }
        ArrayNode providers = patch.putArray(PROVIDERS);
        auth.path(PROVIDERS).forEach(provider -> providers.add(provider.deepCopy()));
        body.properties().forEach(member -> {
            Matcher field = FIELD.matcher(member.getKey());
            if (field.matches()) {
                set(providers, field.group(1), field.group(2), member.getValue());
            }
        });
        for (int i = providers.size() - 1; i >= 0; i--) {
            ObjectNode provider = (ObjectNode) providers.get(i);
            boolean named = provider.hasNonNull("clientId") && provider.hasNonNull(CLIENT_SECRET);
            if (!named && !provider.path("enabled").asBoolean(true)) {
                // Disabling one that is not there.
                providers.remove(i);
            } else if (!named) {
                throw incomplete(provider);
            }
        }
    }

    private static void set(ArrayNode providers, String name, String field, JsonNode value) {
        ObjectNode provider = find(providers, name)
                .map(ObjectNode.class::cast)
                .orElseGet(() -> providers.addObject().put(NAME, name).set("type", JSON.valueToTree(TYPES.get(name))));
        if (field.equals(SECRET)) {
            if (!value.isNull()) {
                provider.set(CLIENT_SECRET, ConfigForm.SECRET.toSpec(value));
            }
        } else if (value.isNull()) {
            provider.remove(MEMBERS.get(field));
        } else {
            provider.set(MEMBERS.get(field), value);
        }
    }

    private static ProblemException incomplete(ObjectNode provider) {
        String name = provider.path(NAME).asText();
        String missing = "/" + prefix(name) + (provider.hasNonNull("clientId") ? SECRET : "client_id");
        return Problem.of(
                        ProblemCode.INVALID_BODY,
                        "The provider " + name + " needs a client id and a secret: " + missing + " is missing.")
                .withError(missing, "is missing")
                .asException();
    }

    private static Optional<JsonNode> find(JsonNode providers, String name) {
        for (JsonNode provider : providers) {
            if (provider.path(NAME).asText().equals(name)) {
                return Optional.of(provider);
            }
        }
        return Optional.empty();
    }

    private static String prefix(String name) {
        return "external_" + name + "_";
    }
}

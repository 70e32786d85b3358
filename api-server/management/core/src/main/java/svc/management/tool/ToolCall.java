package svc.management.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.database.name.SupabaseRef;
import svc.management.token.Principal;

/**
 * A call of a tool whose arguments were checked against its parameters.
 *
 * @param project the ref that the address or the arguments name; empty for a tool of the account
 * @param readOnly whether it must change nothing
 * @param consent whether the user of the client was asked
 */
public record ToolCall(
        Principal by, String project, JsonNode arguments, boolean readOnly, Consent consent, RoutingContext context) {
    /** Of the user, to what may destroy something. */
    public enum Consent {
        /** The client cannot ask, or its address forbids it. */
        NOT_ASKED,
        ASKABLE,
        GIVEN
    }

    /** A project's ref out of either of its spellings; any other text as it is. */
    public static String ref(String text) {
        return SupabaseRef.ref(text).orElse(text);
    }

    public String text(String name) {
        return arguments.path(name).asText();
    }

    public Optional<String> optionalText(String name) {
        return Optional.ofNullable(arguments.get(name))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText);
    }

    public Optional<Boolean> optionalFlag(String name) {
        return Optional.ofNullable(arguments.get(name))
                .filter(JsonNode::isBoolean)
                .map(JsonNode::asBoolean);
    }

    public int number(String name, int otherwise) {
        return arguments.path(name).asInt(otherwise);
    }

    public List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        arguments.path(name).forEach(text -> texts.add(text.asText()));
        return texts;
    }

    /** Files by name; the last of two with one name. */
    public Map<String, String> files(String name) {
        Map<String, String> files = new LinkedHashMap<>();
        arguments
                .path(name)
                .forEach(file ->
                        files.put(file.get("name").asText(), file.get("content").asText()));
        return files;
    }
}

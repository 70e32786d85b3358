package svc.management.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import svc.management.json.StrictJson;

/** What a tool answers. */
public sealed interface ToolResult {
    /** JSON of the platform. Clients get an object as {@code structuredContent} too. */
    record Json(JsonNode value) implements ToolResult {}

    /**
     * Text that may have been written by users of the application: rows, logs. It is marked as data.
     *
     * @param note about it, by the platform; may be empty
     */
    record Data(String text, String note) implements ToolResult {}

    /**
     * Nothing ran: the user of the client is to be asked first.
     *
     * @param question for the user
     */
    record Ask(String question) implements ToolResult {}

    /**
     * The user of the client is to open a page of the platform.
     *
     * @param name of the question, for clients that open pages themselves
     * @param message for the user
     */
    record UrlElicitation(String name, String message, String url) implements ToolResult {}

    /** As JSON, with names as in {@code /v1}. */
    static ToolResult json(Object value) {
        return new Json(StrictJson.get().valueToTree(value));
    }

    /** As JSON that is marked as data. */
    static ToolResult data(Object value) {
        return new Data(written(value), "");
    }

    private static String written(Object value) {
        try {
            return StrictJson.get().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while writing the answer of a tool", e);
        }
    }
}

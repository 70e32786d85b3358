package svc.sqlgate.parser;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ContainerNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Builds the tree of an answer while it arrives: the answer itself is never held. 250 KB of SQL can have 130,000 nodes of
 * the grammar and 11 MB of JSON, so a tree is lean: its objects have {@link CompactFields}, and equal names and constants
 * are one node. A node is never changed.
 *
 * <p>Memory is taken before the nodes are made. For one answer; used by one thread.
 */
final class TreeReader {
    /** Levels of a tree, not of SQL: one level of SQL is three or four. Nothing here walks a tree by recursion. */
    private static final int MAX_DEPTH = 30_000;

    private static final int MAX_STRING = 4 << 20;

    /** Bytes of heap, of a 64-bit JVM with references of 4 bytes. */
    private static final int OBJECT = 64;

    private static final int FURTHER_FIELD = 24;
    private static final int ARRAY = 80;
    private static final int ELEMENT = 8;
    private static final int NUMBER = 16;
    private static final int TEXT = 64;

    /** What is taken at once: a lock for each node would cost more than the nodes. */
    private static final int STEP = 64 << 10;

    private static final int MAX_SHARED = 4096;
    private static final int MAX_SHARED_TEXT = 64;

    /** How deep a node may be that is compared with others, to be shared. */
    private static final int MAX_SHARED_DEPTH = 2;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(MAX_STRING)
                    .build())
            .build();

    private final ReadingMemory memory;
    private final Deque<ContainerNode<?>> open = new ArrayDeque<>();
    private final Map<JsonNode, JsonNode> shared = new HashMap<>();
    private int untaken;

    /** Levels below the value that was completed last; beyond {@link #MAX_SHARED_DEPTH} it is not shared. */
    private int depth;

    private TreeReader(ReadingMemory memory) {
        this.memory = memory;
    }

    /**
     * @param answer the JSON of one answer in UTF-8
     * @param memory that the tree takes
     * @throws MemoryRefusedException if it does not get it
     * @throws IOException if the answer is no JSON, or deeper than is followed
     */
    static JsonNode read(InputStream answer, ReadingMemory memory) throws IOException {
        try (JsonParser json = JSON.createParser(answer)) {
            return new TreeReader(memory).tree(json);
        }
    }

    private JsonNode tree(JsonParser json) throws IOException {
        while (true) {
            JsonToken token = json.nextToken();
            if (token == null) {
                throw new IOException("the answer ends inside of its tree");
            }
            switch (token) {
                case FIELD_NAME -> {}
                case START_OBJECT -> {
                    take(OBJECT);
                    open.push(new ObjectNode(JsonNodeFactory.instance, new CompactFields()));
                }
                case START_ARRAY -> {
                    take(ARRAY);
                    open.push(new ArrayNode(JsonNodeFactory.instance, new ArrayList<>(2)));
                }
                default -> {
                    JsonNode value = token.isStructEnd() ? ended(open.pop()) : scalar(json, token);
                    if (open.isEmpty()) {
                        memory.take(Math.max(0, untaken));
                        return value;
                    }
                    add(json.currentName(), value);
                }
            }
        }
    }

    private void add(String name, JsonNode value) throws IOException {
        if (open.peek() instanceof ObjectNode object) {
            if (!object.isEmpty()) {
                take(FURTHER_FIELD);
            }
            object.set(name, value);
        } else if (open.peek() instanceof ArrayNode array) {
            take(ELEMENT);
            array.add(value);
        }
    }

    private JsonNode ended(ContainerNode<?> container) {
        boolean small = container instanceof ObjectNode && (container.isEmpty() || container.size() == 1);
        depth = !small ? MAX_SHARED_DEPTH + 1 : container.isEmpty() ? 0 : depth + 1;
        if (depth > MAX_SHARED_DEPTH) {
            return container;
        }
        JsonNode same = shared.get(container);
        if (same == null) {
            share(container);
            return container;
        }
        untaken -= OBJECT;
        return same;
    }

    private JsonNode scalar(JsonParser json, JsonToken token) throws IOException {
        depth = 0;
        return switch (token) {
            case VALUE_STRING -> text(json.getText());
            case VALUE_NUMBER_INT -> {
                take(NUMBER);
                yield json.getNumberType() == JsonParser.NumberType.INT
                        ? IntNode.valueOf(json.getIntValue())
                        : LongNode.valueOf(json.getLongValue());
            }
            case VALUE_TRUE -> BooleanNode.TRUE;
            case VALUE_FALSE -> BooleanNode.FALSE;
            case VALUE_NULL -> NullNode.getInstance();
            default -> throw new IOException("the parser answers with a value of the kind " + token);
        };
    }

    private JsonNode text(String text) throws IOException {
        var node = TextNode.valueOf(text);
        if (text.length() > MAX_SHARED_TEXT) {
            depth = MAX_SHARED_DEPTH + 1;
            take(TEXT + 2 * text.length());
            return node;
        }
        JsonNode same = shared.get(node);
        if (same == null) {
            share(node);
            take(TEXT + 2 * text.length());
            return node;
        }
        return same;
    }

    private void share(JsonNode node) {
        if (shared.size() < MAX_SHARED) {
            shared.put(node, node);
        }
    }

    private void take(int bytes) throws IOException {
        untaken += bytes;
        if (untaken >= STEP) {
            memory.take(untaken);
            untaken = 0;
        }
    }
}

package svc.embedded.kubernetes.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The JSONPath that printer columns are written in: {@code .a.b}, {@code ['a']}, {@code [0]}, {@code [-1]},
 * {@code [*]}, {@code [?(@.a.b=="c")]} with {@code ==} and {@code !=}.
 */
public final class JsonPath {
    private static final Pattern STEP = Pattern.compile("\\.?(?:"
            + "(?<field>[\\p{L}_$][^.\\[\\]]*+(?:\\\\\\.[^.\\[\\]]*+)*+)"
            + "|\\[['\"](?<quoted>[^'\"]+)['\"]]"
            + "|\\[(?<index>-?\\d+)]"
            + "|(?<all>\\[\\*]|\\*)"
            + "|\\[\\?\\(@(?<path>[^=!]+?)\\s*(?<operator>==|!=)\\s*['\"]?(?<value>[^'\")]*)['\"]?\\s*\\)])");

    private final List<Function<JsonNode, Stream<JsonNode>>> steps = new ArrayList<>();

    private JsonPath(String path) {
        String rest = path.startsWith("$") ? path.substring(1) : path;
        Matcher matcher = STEP.matcher(rest);
        int at = 0;
        while (at < rest.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw new IllegalArgumentException("not a JSONPath of printer columns: " + path);
            }
            steps.add(step(matcher));
            at = matcher.end();
        }
    }

    /** Parses a path.
     *
     * @throws IllegalArgumentException when it is not in the subset that this class knows */
    public static JsonPath parse(String path) {
        return new JsonPath(path);
    }

    /** The values at the path, in document order. */
    public List<JsonNode> find(JsonNode root) {
        Stream<JsonNode> found = Stream.of(root);
        for (Function<JsonNode, Stream<JsonNode>> step : steps) {
            found = found.flatMap(step);
        }
        return found.filter(node -> !node.isMissingNode() && !node.isNull()).toList();
    }

    private static Function<JsonNode, Stream<JsonNode>> step(Matcher matcher) {
        if (matcher.group("field") != null) {
            String field = matcher.group("field").replace("\\.", ".");
            return node -> Stream.of(node.path(field));
        }
        if (matcher.group("quoted") != null) {
            String field = matcher.group("quoted");
            return node -> Stream.of(node.path(field));
        }
        if (matcher.group("index") != null) {
            int index = Integer.parseInt(matcher.group("index"));
            return node -> Stream.of(node.path(index < 0 ? node.size() + index : index));
        }
        if (matcher.group("all") != null) {
            return JsonPath::items;
        }
        JsonPath path = new JsonPath(matcher.group("path"));
        String value = matcher.group("value");
        boolean equal = matcher.group("operator").equals("==");
        return node -> items(node)
                .filter(item -> path.find(item).stream()
                                .anyMatch(found -> found.asText().equals(value))
                        == equal);
    }

    private static Stream<JsonNode> items(JsonNode node) {
        return node.valueStream();
    }
}

package svc.embedded.kubernetes.selector;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.embedded.kubernetes.failure.ApiFailure;

/**
 * The {@code fieldSelector} parameter: {@code path=value}, {@code path==value}, {@code path!=value}, joined by commas.
 *
 * <p>Kubernetes allows a few fields per kind; here every field may be selected by, and one that is absent is empty.
 */
public final class FieldSelector implements Predicate<JsonNode> {
    private static final Pattern REQUIREMENT =
            Pattern.compile("(?<path>[\\w.]+)(?<operator>==|=|!=)(?<value>(?:\\\\.|[^,\\\\])*)(?:,|$)");

    private final List<Predicate<JsonNode>> requirements = new ArrayList<>();

    private FieldSelector() {}

    /** Parses the parameter; the empty text selects everything.
     *
     * @throws ApiFailure 400 when it is no selector */
    public static FieldSelector parse(String text) {
        FieldSelector selector = new FieldSelector();
        Matcher matcher = REQUIREMENT.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw ApiFailure.badRequest("invalid field selector: " + text);
            }
            String pointer = "/" + matcher.group("path").replace('.', '/');
            String value = matcher.group("value").replaceAll("\\\\(.)", "$1");
            boolean equal = !matcher.group("operator").equals("!=");
            selector.requirements.add(object -> object.at(pointer).asText("").equals(value) == equal);
            at = matcher.end();
        }
        return selector;
    }

    @Override
    public boolean test(JsonNode object) {
        return requirements.stream().allMatch(requirement -> requirement.test(object));
    }
}

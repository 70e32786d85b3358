package svc.embedded.kubernetes.selector;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Meta;

/** The {@code labelSelector} parameter: {@code a=b}, {@code a!=b}, {@code a in (b,c)}, {@code a notin (b)}, {@code a}, {@code !a}. */
public final class LabelSelector implements Predicate<JsonNode> {
    private static final Pattern REQUIREMENT = Pattern.compile("\\s*(?:"
            + "(?<key>[\\w./-]+)\\s*(?:(?<operator>==|=|!=)\\s*(?<value>[\\w.-]*)"
            + "|\\s+(?<set>in|notin)\\s*\\((?<values>[^)]*)\\))?"
            + "|!\\s*(?<absent>[\\w./-]+)"
            + ")\\s*(?:,|$)");

    private final List<Predicate<JsonNode>> requirements = new ArrayList<>();

    private LabelSelector() {}

    /** Parses the parameter; the empty text selects everything.
     *
     * @throws ApiFailure 400 when it is no selector */
    public static LabelSelector parse(String text) {
        LabelSelector selector = new LabelSelector();
        Matcher matcher = REQUIREMENT.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw ApiFailure.badRequest("unable to parse requirement: " + text.substring(at));
            }
            selector.requirements.add(requirement(matcher));
            at = matcher.end();
        }
        return selector;
    }

    @Override
    public boolean test(JsonNode object) {
        return requirements.stream().allMatch(requirement -> requirement.test(object));
    }

    private static Predicate<JsonNode> requirement(Matcher matcher) {
        if (matcher.group("absent") != null) {
            String key = matcher.group("absent");
            return object -> Meta.label(object, key).isEmpty();
        }
        String key = matcher.group("key");
        if (matcher.group("set") != null) {
            Set<String> values = Arrays.stream(matcher.group("values").split(",", -1))
                    .map(String::strip)
                    .collect(Collectors.toSet());
            return membership(key, values, matcher.group("set").equals("in"));
        }
        if (matcher.group("operator") == null) {
            return object -> Meta.label(object, key).isPresent();
        }
        return membership(
                key, Set.of(matcher.group("value")), !matcher.group("operator").equals("!="));
    }

    // An object without the label fulfils notin and !=.
    private static Predicate<JsonNode> membership(String key, Set<String> values, boolean wanted) {
        return object -> {
            Optional<String> label = Meta.label(object, key);
            return wanted
                    ? label.filter(values::contains).isPresent()
                    : label.filter(values::contains).isEmpty();
        };
    }
}

package svc.management.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import svc.platform.problem.Problem;
import svc.platform.problem.Problem.FieldError;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * The settings of one section of a Project's spec under the names of Supabase's Management API. A field that is not in the
 * table is refused and named: a setting that silently does nothing is worse than an error. Pure.
 */
final class ConfigTable {
    /** Fields that a refusal names one by one. */
    private static final int MAX_NAMED = 100;

    private final String section;
    private final Map<String, Setting> settings = new LinkedHashMap<>();

    /** @param section its JSON pointer in the spec, {@code /auth} */
    ConfigTable(String section, List<Setting> settings) {
        this.section = section;
        settings.forEach(setting -> this.settings.put(setting.name(), setting));
    }

    /**
     * A setting.
     *
     * @param name in Supabase's API
     * @param pointer into the section of the spec
     */
    record Setting(String name, String pointer, ConfigForm form) {}

    static Setting plain(String name, String pointer) {
        return new Setting(name, pointer, ConfigForm.PLAIN);
    }

    /** The settings of a section; one that the section has no value for is left out. */
    ObjectNode shown(JsonNode spec) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        settings.values().forEach(setting -> {
            JsonNode value = setting.form().toConfig(spec.at(setting.pointer()));
            if (!value.isMissingNode()) {
                shown.set(setting.name(), value);
            }
        });
        return shown;
    }

    /**
     * A merge patch of the section.
     *
     * @param elsewhere a field that the table does not have and the caller takes care of
     * @throws ProblemException 400 with the fields that are not settings
     */
    ObjectNode patch(ObjectNode body, Predicate<String> elsewhere) {
        List<String> unknown = new ArrayList<>();
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        body.properties().forEach(member -> {
            Setting setting = settings.get(member.getKey());
            if (setting != null) {
                set(patch, setting.pointer(), setting.form().toSpec(member.getValue()));
            } else if (!elsewhere.test(member.getKey())) {
                unknown.add(member.getKey());
            }
        });
        if (!unknown.isEmpty()) {
            throw notSettings(unknown, settings.keySet());
        }
        return patch;
    }

    private static ProblemException notSettings(List<String> unknown, Iterable<String> known) {
        List<String> named = unknown.subList(0, Math.min(unknown.size(), MAX_NAMED));
        String others = unknown.size() > MAX_NAMED ? " and " + (unknown.size() - MAX_NAMED) + " more" : "";
        return Problem.of(
                        ProblemCode.INVALID_BODY,
                        "These fields are not settings of this platform: " + String.join(", ", named) + others + ".")
                .withHint("Settings: " + String.join(", ", known) + ".")
                .withErrors(named.stream()
                        .map(name -> new FieldError("/" + name, "is not a setting of this platform"))
                        .toList())
                .asException();
    }

    static void set(ObjectNode target, String pointer, JsonNode value) {
        String[] steps = pointer.substring(1).split("/");
        ObjectNode place = target;
        for (int i = 0; i < steps.length - 1; i++) {
            place = place.get(steps[i]) instanceof ObjectNode inner ? inner : place.putObject(steps[i]);
        }
        place.set(steps[steps.length - 1], value);
    }

    /** The same problem with the names of this API in place of those of the spec. */
    ProblemException renamed(ProblemException exception) {
        Problem problem = exception.problem();
        Map<String, String> names = new HashMap<>();
        settings.values().forEach(setting -> names.put(section + setting.pointer(), "/" + setting.name()));
        return new Problem(
                        problem.code(),
                        inWords(problem.detail(), names),
                        problem.hint(),
                        problem.errors().stream()
                                .map(error -> new FieldError(named(error.pointer(), names), error.message()))
                                .toList(),
                        problem.members(),
                        problem.retryAfter())
                .asException(exception.getCause());
    }

    /** A problem may be about a part of a setting, such as one address of a list. */
    private static String named(String pointer, Map<String, String> names) {
        return names.entrySet().stream()
                .filter(name -> pointer.equals(name.getKey()) || pointer.startsWith(name.getKey() + "/"))
                .max(Comparator.comparingInt(name -> name.getKey().length()))
                .map(name -> name.getValue() + pointer.substring(name.getKey().length()))
                .orElse(pointer);
    }

    private static String inWords(String text, Map<String, String> names) {
        String result = text;
        for (String spec : names.keySet().stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList()) {
            result = result.replace(spec, names.get(spec));
        }
        return result;
    }
}

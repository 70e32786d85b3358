package svc.management.advisor;

import java.util.List;
import java.util.Map;

/**
 * A finding, in the shape of Supabase's Management API.
 *
 * @param facing EXTERNAL for what concerns the project's own objects; all of ours do
 * @param detail what was found, with the object's name
 * @param remediation the statement or step that resolves it
 * @param metadata of the object: schema, name, type and more
 * @param cacheKey the same for the same finding in every call
 */
public record Lint(
        String name,
        String title,
        String level,
        String facing,
        List<String> categories,
        String description,
        String detail,
        String remediation,
        Map<String, Object> metadata,
        String cacheKey) {
    static Lint of(LintRule rule, String detail, Map<String, Object> metadata, String key) {
        return new Lint(
                rule.wire(),
                rule.title(),
                rule.level().name(),
                "EXTERNAL",
                List.of(rule.category().name()),
                rule.description(),
                detail,
                rule.remediation(),
                metadata,
                rule.wire() + "_" + key);
    }
}

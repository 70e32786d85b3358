package svc.management.advisor;

import java.util.LinkedHashMap;
import java.util.Map;

/** The object of a finding: its metadata and its key. Pure. */
final class Subject {
    private final Map<String, Object> metadata = new LinkedHashMap<>();
    private final String name;
    private String key;

    private Subject(String schema, String object, String type) {
        metadata.put("schema", schema);
        metadata.put("name", object);
        metadata.put("type", type);
        this.name = schema + "." + object;
        this.key = schema + "_" + object;
    }

    static Subject of(String schema, String object, String type) {
        return new Subject(schema, object, type);
    }

    /** Qualified, for a sentence. */
    String name() {
        return name;
    }

    /** With more metadata that does not identify it. */
    Subject with(String member, Object value) {
        metadata.put(member, value);
        return this;
    }

    /** With one more part of its key. */
    Subject at(String member, String value) {
        metadata.put(member, value);
        key += "_" + value;
        return this;
    }

    Lint lint(LintRule rule, String detail) {
        return Lint.of(rule, detail, Map.copyOf(metadata), key);
    }
}

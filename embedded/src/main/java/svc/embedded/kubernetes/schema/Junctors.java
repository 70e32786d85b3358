package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The keywords that combine schemas: allOf, anyOf, oneOf, not. In a structural schema they only validate. */
final class Junctors {

    private Junctors() {}

    static void addChecks(JsonNode schema, List<ValueCheck> checks) {
        List<SchemaNode> all = alternatives(schema, "allOf");
        if (!all.isEmpty()) {
            checks.add((value, path, found) ->
                    all.forEach(each -> StructuralValidation.visit(each, value, Optional.empty(), path, found)));
        }
        List<SchemaNode> any = alternatives(schema, "anyOf");
        if (!any.isEmpty()) {
            checks.add((value, path, found) -> {
                if (matching(any, value, path) == 0) {
                    found.add(refused(path, "must validate at least one schema (anyOf)"));
                }
            });
        }
        List<SchemaNode> one = alternatives(schema, "oneOf");
        if (!one.isEmpty()) {
            checks.add((value, path, found) -> {
                long matching = matching(one, value, path);
                if (matching != 1) {
                    String many = matching == 0 ? "Found none valid" : "Found " + matching + " valid alternatives";
                    found.add(refused(path, "must validate one and only one schema (oneOf). " + many));
                }
            });
        }
        if (schema.has("not")) {
            List<SchemaNode> not = List.of(SchemaCompiler.compile(schema.get("not")));
            checks.add((value, path, found) -> {
                if (matching(not, value, path) != 0) {
                    found.add(refused(path, "must not validate the schema (not)"));
                }
            });
        }
    }

    private static List<SchemaNode> alternatives(JsonNode schema, String keyword) {
        List<SchemaNode> compiled = new ArrayList<>();
        schema.path(keyword).forEach(each -> compiled.add(SchemaCompiler.compile(each)));
        return List.copyOf(compiled);
    }

    private static long matching(List<SchemaNode> schemas, JsonNode value, String path) {
        return schemas.stream()
                .filter(schema -> {
                    List<Violation> found = new ArrayList<>();
                    StructuralValidation.visit(schema, value, Optional.empty(), path, found);
                    return found.isEmpty();
                })
                .count();
    }

    // kube-apiserver gives neither field nor value of these.
    private static Violation refused(String path, String detail) {
        return new Violation(Violation.NO_FIELD, "Invalid value: \"\": \"" + path + "\" " + detail, Violation.INVALID);
    }
}

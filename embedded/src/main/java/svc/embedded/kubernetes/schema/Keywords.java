package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The validating keywords of a structural schema, each compiled to a {@link ValueCheck} with the messages of
 * kube-apiserver. A keyword for another type than the value's is satisfied, as in JSON Schema.
 */
final class Keywords {

    private Keywords() {}

    static List<ValueCheck> checksOf(JsonNode schema) {
        List<ValueCheck> checks = new ArrayList<>();
        onStrings(schema, checks);
        onNumbers(schema, checks);
        onArrays(schema, checks);
        onObjects(schema, checks);
        if (schema.has("enum")) {
            checks.add(enumeration(schema.get("enum")));
        }
        Junctors.addChecks(schema, checks);
        return List.copyOf(checks);
    }

    private static void onStrings(JsonNode schema, List<ValueCheck> checks) {
        if (schema.has("maxLength")) {
            long most = schema.get("maxLength").asLong();
            checks.add((value, path, found) -> {
                if (value.isTextual() && length(value) > most) {
                    found.add(Violation.tooLong(path, most));
                }
            });
        }
        if (schema.has("minLength")) {
            long least = schema.get("minLength").asLong();
            checks.add((value, path, found) -> {
                if (value.isTextual() && length(value) < least) {
                    found.add(Violation.invalid(
                            path, value, path + " in body should be at least " + least + " chars long"));
                }
            });
        }
        if (schema.has("pattern")) {
            checks.add(pattern(schema.get("pattern").asText()));
        }
        if (schema.has("format")) {
            String format = schema.get("format").asText();
            checks.add((value, path, found) -> {
                if (!Formats.accepts(format, value)) {
                    String shown = Violation.shown(value);
                    found.add(Violation.wrongType(
                            path, shown, path + " in body must be of type " + format + ": " + shown));
                }
            });
        }
    }

    /** RE2, searched and not anchored: the syntax and the meaning a pattern has in Kubernetes, in linear time. */
    private static ValueCheck pattern(String source) {
        Pattern pattern;
        try {
            pattern = Pattern.compile(source);
        } catch (PatternSyntaxException e) {
            throw new InvalidSchemaException("while compiling the pattern '" + source + "': " + e.getMessage(), e);
        }
        return (value, path, found) -> {
            if (value.isTextual() && !pattern.matcher(value.textValue()).find()) {
                found.add(Violation.invalid(path, value, path + " in body should match '" + source + "'"));
            }
        };
    }

    private static void onNumbers(JsonNode schema, List<ValueCheck> checks) {
        if (schema.has("minimum")) {
            BigDecimal least = number(schema, "minimum");
            boolean exclusive = schema.path("exclusiveMinimum").asBoolean();
            String detail =
                    " in body should be greater than " + (exclusive ? "" : "or equal to ") + least.toPlainString();
            checks.add((value, path, found) -> {
                if (value.isNumber() && value.decimalValue().compareTo(least) < (exclusive ? 1 : 0)) {
                    found.add(Violation.invalid(path, value, path + detail));
                }
            });
        }
        if (schema.has("maximum")) {
            BigDecimal most = number(schema, "maximum");
            boolean exclusive = schema.path("exclusiveMaximum").asBoolean();
            String detail = " in body should be less than " + (exclusive ? "" : "or equal to ") + most.toPlainString();
            checks.add((value, path, found) -> {
                if (value.isNumber() && value.decimalValue().compareTo(most) > (exclusive ? -1 : 0)) {
                    found.add(Violation.invalid(path, value, path + detail));
                }
            });
        }
        if (schema.has("multipleOf")) {
            BigDecimal factor = number(schema, "multipleOf");
            checks.add((value, path, found) -> {
                if (value.isNumber() && value.decimalValue().remainder(factor).signum() != 0) {
                    found.add(Violation.invalid(
                            path, value, path + " in body should be a multiple of " + factor.toPlainString()));
                }
            });
        }
    }

    private static void onArrays(JsonNode schema, List<ValueCheck> checks) {
        if (schema.has("maxItems")) {
            long most = schema.get("maxItems").asLong();
            checks.add((value, path, found) -> {
                if (value.isArray() && value.size() > most) {
                    found.add(Violation.tooMany(path, value.size(), most));
                }
            });
        }
        if (schema.has("minItems")) {
            long least = schema.get("minItems").asLong();
            checks.add((value, path, found) -> {
                if (value.isArray() && value.size() < least) {
                    found.add(
                            Violation.invalid(path, value, path + " in body should have at least " + least + " items"));
                }
            });
        }
        ListShape shape = ListShape.declaredBy(schema);
        if (shape.kind() != ListShape.Kind.ATOMIC) {
            checks.add((value, path, found) -> unique(shape, value, path, found));
        }
    }

    private static void unique(ListShape shape, JsonNode array, String path, List<Violation> found) {
        Set<JsonNode> seen = new HashSet<>();
        for (int i = 0; i < array.size(); i++) {
            JsonNode identity = shape.identity(array.get(i));
            if (!seen.add(identity)) {
                found.add(Violation.duplicate(path + "[" + i + "]", identity));
            }
        }
    }

    private static void onObjects(JsonNode schema, List<ValueCheck> checks) {
        for (JsonNode name : schema.path("required")) {
            String field = name.asText();
            checks.add((value, path, found) -> {
                if (value.isObject() && !value.has(field)) {
                    found.add(Violation.required(path.isEmpty() ? field : path + "." + field));
                }
            });
        }
        if (schema.has("maxProperties")) {
            long most = schema.get("maxProperties").asLong();
            checks.add((value, path, found) -> {
                if (value.isObject() && value.size() > most) {
                    found.add(Violation.tooMany(path, value.size(), most));
                }
            });
        }
        if (schema.has("minProperties")) {
            long least = schema.get("minProperties").asLong();
            checks.add((value, path, found) -> {
                if (value.isObject() && value.size() < least) {
                    found.add(Violation.invalid(
                            path, value, path + " in body should have at least " + least + " properties"));
                }
            });
        }
    }

    private static ValueCheck enumeration(JsonNode allowed) {
        Set<JsonNode> values = new HashSet<>();
        List<String> shown = new ArrayList<>();
        allowed.forEach(value -> {
            values.add(value);
            shown.add(value.toString());
        });
        String supported = String.join(", ", shown);
        return (value, path, found) -> {
            if (!values.contains(value)) {
                found.add(new Violation(
                        path,
                        "Unsupported value: " + Violation.shown(value) + ": supported values: " + supported,
                        Violation.NOT_SUPPORTED));
            }
        };
    }

    /** Generators write a bound of 1 as 1.0; messages say 1. */
    private static BigDecimal number(JsonNode schema, String keyword) {
        return schema.get(keyword).decimalValue().stripTrailingZeros();
    }

    /** Characters, not UTF-16 units: an emoji is one. */
    private static long length(JsonNode value) {
        String text = value.textValue();
        return text.codePointCount(0, text.length());
    }
}

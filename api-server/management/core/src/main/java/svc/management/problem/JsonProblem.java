package svc.management.problem;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * Explains a JSON error by field or position, never with the parser's message, which names our classes. Values are not
 * repeated: one may be a secret.
 */
public final class JsonProblem {
    private static final Map<Class<?>, String> JSON_NAMES = Map.of(
            String.class, "a string",
            Boolean.class, "true or false",
            boolean.class, "true or false",
            Integer.class, "a whole number",
            int.class, "a whole number",
            Long.class, "a whole number",
            long.class, "a whole number");

    private JsonProblem() {}

    public static Problem of(JsonProcessingException exception) {
        // A syntax error inside an object is wrapped in the path to it.
        if (exception.getCause() instanceof JsonProcessingException syntax
                && !(syntax instanceof JsonMappingException)) {
            return malformed(syntax);
        }
        return switch (exception) {
            case UnrecognizedPropertyException unknown -> unknownField(unknown);
            case ValueInstantiationException refused
            when refused.getCause() instanceof ProblemException problem -> problem.problem();
            case InvalidFormatException format -> wrongType(format, format.getTargetType());
            case MismatchedInputException mismatch -> wrongType(mismatch, mismatch.getTargetType());
            case JsonMappingException mapping when !mapping.getPath().isEmpty() -> wrongType(mapping, Object.class);
            default -> malformed(exception);
        };
    }

    private static Problem unknownField(UnrecognizedPropertyException exception) {
        String pointer = pointer(exception);
        Problem problem = Problem.of(ProblemCode.INVALID_BODY, "The body has an unknown field: " + pointer + ".")
                .withError(pointer, "unknown field");
        Collection<Object> known = exception.getKnownPropertyIds();
        if (known == null || known.isEmpty()) {
            return problem;
        }
        return problem.withHint("Known fields: "
                + known.stream().map(Object::toString).collect(Collectors.toCollection(TreeSet::new)).stream()
                        .collect(Collectors.joining(", "))
                + ".");
    }

    private static Problem wrongType(JsonMappingException exception, Class<?> target) {
        String pointer = pointer(exception);
        String expected = pointer.isEmpty() ? "one JSON object without trailing content" : expected(target);
        String where = pointer.isEmpty() ? "The body" : "The field " + pointer;
        return Problem.of(ProblemCode.INVALID_BODY, where + " must be " + expected + ".")
                .withError(pointer, "must be " + expected);
    }

    private static String expected(Class<?> target) {
        if (target == null) {
            return "of a different type";
        }
        if (JSON_NAMES.containsKey(target)) {
            return JSON_NAMES.get(target);
        }
        if (Number.class.isAssignableFrom(target) || target.isPrimitive()) {
            return "a number";
        }
        if (Collection.class.isAssignableFrom(target) || target.isArray()) {
            return "an array";
        }
        if (target.isEnum()) {
            return "one of the allowed values";
        }
        if (java.time.temporal.Temporal.class.isAssignableFrom(target)) {
            return "a time such as 2030-01-31T12:00:00Z";
        }
        return target == Object.class ? "of a different type" : "an object";
    }

    private static Problem malformed(JsonProcessingException exception) {
        JsonLocation place = exception.getLocation();
        if (place == null) {
            return Problem.of(ProblemCode.MALFORMED_JSON, "The body is not valid JSON.");
        }
        return Problem.of(
                        ProblemCode.MALFORMED_JSON,
                        "The body is not valid JSON: syntax error at line " + place.getLineNr() + ", column "
                                + place.getColumnNr() + ".")
                .with("line", place.getLineNr())
                .with("column", place.getColumnNr());
    }

    private static String pointer(JsonMappingException exception) {
        return exception.getPath().stream()
                .map(step -> step.getFieldName() != null ? escape(step.getFieldName()) : "" + step.getIndex())
                .filter(Objects::nonNull)
                .map(step -> "/" + step)
                .collect(Collectors.joining());
    }

    private static String escape(String field) {
        return field.replace("~", "~0").replace("/", "~1");
    }
}

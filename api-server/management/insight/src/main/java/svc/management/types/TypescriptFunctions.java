package svc.management.types;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import svc.management.introspection.ProjectFacts.Relation;

/** Writes the functions of a schema: one signature, or a union of the overloads' signatures. */
final class TypescriptFunctions {
    private final TypescriptTypes types;
    private final TypescriptText out;

    TypescriptFunctions(TypescriptTypes types, TypescriptText out) {
        this.types = types;
        this.out = out;
    }

    void write(List<CallableFunction> functions) {
        if (functions.isEmpty()) {
            out.line("[_ in never]: never");
            return;
        }
        Map<String, List<CallableFunction>> byName = functions.stream()
                .sorted(Comparator.comparing(
                        function -> function.routine().types().toString()))
                .collect(Collectors.groupingBy(
                        function -> function.routine().name(), TreeMap::new, Collectors.toList()));
        byName.forEach((name, overloads) -> {
            String head = TypescriptText.name(name) + ":";
            if (overloads.size() == 1) {
                signature(head + " ", overloads.getFirst());
            } else {
                out.open(head);
                overloads.forEach(overload -> signature("| ", overload));
                out.undent();
            }
        });
    }

    private void signature(String head, CallableFunction function) {
        String arguments = arguments(function);
        String returned = returned(function);
        if (options(function).isEmpty()) {
            String line = head + "{ Args: " + arguments + "; Returns: " + returned + " }";
            if (out.fits(line)) {
                out.line(line);
                return;
            }
        }
        out.open(head + "{");
        out.object("Args: ", arguments);
        out.object("Returns: ", returned);
        Map<String, String> options = options(function);
        if (!options.isEmpty()) {
            out.open("SetofOptions: {");
            options.forEach((name, value) -> out.line(name + ": " + value));
            out.close("}");
        }
        out.close("}");
    }

    private String arguments(CallableFunction function) {
        if (function.inputs().isEmpty()) {
            return "never";
        }
        Map<String, String> members = new TreeMap<>();
        function.inputs()
                .forEach(parameter -> members.put(
                        parameter.name().isEmpty()
                                ? "\"\""
                                : TypescriptText.name(parameter.name()) + (parameter.optional() ? "?" : ""),
                        types.of(parameter.type())));
        return TypescriptText.inline(members);
    }

    private String returned(CallableFunction function) {
        String type;
        if (!function.outputs().isEmpty() && function.target().isEmpty()) {
            Map<String, String> members = new TreeMap<>();
            function.outputs()
                    .forEach(output -> members.put(TypescriptText.name(output.name()), types.of(output.type())));
            type = function.outputs().size() == 1 && !isTable(function)
                    ? types.of(function.outputs().getFirst().type())
                    : TypescriptText.inline(members);
        } else {
            type = function.target()
                    .map(relation -> TypescriptText.inline(new TreeMap<>(types.rowOf(relation))))
                    .orElseGet(() -> types.of(function.routine().returns()));
        }
        return function.routine().set() && !isOneRow(function) ? type + "[]" : type;
    }

    /** RETURNS TABLE gives objects even of one column; one OUT parameter gives its value. */
    private static boolean isTable(CallableFunction function) {
        return function.routine().modes().contains("t");
    }

    /** Declared ROWS 1, and over a relation, so that the client knows the shape of a direct call by its options. */
    private static boolean isOneRow(CallableFunction function) {
        return function.target().isPresent() && function.routine().rows() <= 1;
    }

    /** What lets a client select and embed within the returned rows. */
    private Map<String, String> options(CallableFunction function) {
        Map<String, String> options = new LinkedHashMap<>();
        if (function.target().isEmpty()) {
            return options;
        }
        Relation target = function.target().get();
        boolean set = function.routine().set();
        options.put(
                "from",
                TypescriptText.quoted(function.source().map(Relation::name).orElse("*")));
        options.put("to", TypescriptText.quoted(target.name()));
        options.put("isOneToOne", Boolean.toString(!set || isOneRow(function)));
        options.put("isSetofReturn", Boolean.toString(set));
        return options;
    }
}

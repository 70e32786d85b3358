package svc.management.types;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.management.types.TypeModel.Enumeration;
import svc.management.types.TypeModel.Field;
import svc.management.types.TypeModel.Rows;
import svc.management.types.TypeModel.Schema;
import svc.management.types.WireType.Label;
import svc.management.types.WireType.ListOf;
import svc.management.types.WireType.Row;
import svc.management.types.WireType.Scalar;

/**
 * Structs of Swift for supabase-swift: {@code PublicSchema.TodosSelect}, {@code …Insert} and {@code …Update}, and one of each
 * composite type; enums with the labels as raw values. What an insert or update may leave out is left out while it is nil.
 */
final class SwiftTypes {
    private static final List<String> OPERATIONS = List.of("Select", "Insert", "Update");
    private static final String CONFORMS = ": Codable, Hashable, Sendable";

    /** Types that the text refers to, and names that no type may have. */
    private static final Set<String> RESERVED_TYPES = Set.of(
            "String",
            "Bool",
            "Int16",
            "Int32",
            "Int64",
            "Float",
            "Double",
            "Decimal",
            "UUID",
            "AnyJSON",
            "Codable",
            "Hashable",
            "Sendable",
            "Identifiable",
            "CodingKey",
            "CodingKeys",
            "Type",
            "Protocol",
            "Self",
            "Any",
            "Foundation",
            "Supabase",
            "Swift");

    /** Reserved words in the form of a property; in backticks they are names. */
    private static final Set<String> WORDS = Set.of(
            "associatedtype",
            "class",
            "deinit",
            "enum",
            "extension",
            "fileprivate",
            "func",
            "import",
            "inout",
            "internal",
            "let",
            "open",
            "operator",
            "precedencegroup",
            "private",
            "protocol",
            "public",
            "rethrows",
            "static",
            "struct",
            "subscript",
            "typealias",
            "var",
            "break",
            "case",
            "catch",
            "continue",
            "default",
            "defer",
            "do",
            "else",
            "fallthrough",
            "for",
            "guard",
            "if",
            "in",
            "repeat",
            "return",
            "throw",
            "switch",
            "where",
            "while",
            "as",
            "await",
            "false",
            "is",
            "nil",
            "super",
            "throws",
            "true",
            "try");

    /** What is no name even in backticks, or is a member of every enum and struct here. */
    private static final Set<String> MEMBERS =
            Set.of("self", "init", "hashValue", "rawValue", "stringValue", "intValue");

    private final UniqueNames schemas = new UniqueNames(RESERVED_TYPES);
    private final Map<String, String> schemaNames = new LinkedHashMap<>();

    /** By OID: the name within the schema, without the operation. */
    private final Map<Long, String> typeNames = new HashMap<>();

    /** By OID: what other types refer to. */
    private final Map<Long, String> references = new HashMap<>();

    private final SourceText out = new SourceText("  ");

    private SwiftTypes() {}

    static String of(TypeModel model) {
        var types = new SwiftTypes();
        types.name(model);
        types.out.line("import Foundation").line("import Supabase");
        model.schemas().forEach(types::schema);
        return types.out.toString();
    }

    /** A type is named in its schema; the names of all schemas mean the schemas in each of them. */
    private void name(TypeModel model) {
        model.schemas()
                .forEach(schema ->
                        schemaNames.put(schema.name(), schemas.claim(Words.pascal(schema.name()) + "Schema")));
        Set<String> reserved = Stream.concat(RESERVED_TYPES.stream(), schemaNames.values().stream())
                .collect(Collectors.toSet());
        for (Schema schema : model.schemas()) {
            var names = new UniqueNames(reserved);
            schema.enums().forEach(type -> typeNames.put(type.type(), names.claim(Words.pascal(type.name()))));
            schema.relations()
                    .forEach(rows -> typeNames.put(rows.oid(), names.claim(Words.pascal(rows.name()), OPERATIONS)));
            schema.composites().forEach(type -> typeNames.put(type.oid(), names.claim(Words.pascal(type.name()))));
            schema.relations().forEach(rows -> references.put(rows.oid(), path(schema, rows.oid()) + "Select"));
            schema.composites().forEach(type -> references.put(type.oid(), path(schema, type.oid())));
            schema.enums().forEach(type -> references.put(type.type(), path(schema, type.type())));
        }
    }

    private String path(Schema schema, long oid) {
        return schemaNames.get(schema.name()) + "." + typeNames.get(oid);
    }

    private void schema(Schema schema) {
        out.line("").open("internal enum " + schemaNames.get(schema.name()) + " {");
        schema.enums().forEach(this::enumeration);
        for (Rows rows : schema.relations()) {
            String name = typeNames.get(rows.oid());
            struct(name + "Select", rows.fields(), "let", Field::nullable);
            if (rows.inserts()) {
                struct(name + "Insert", rows.written(), "var", Field::optional);
            }
            if (rows.updates()) {
                struct(name + "Update", rows.written(), "var", unused -> true);
            }
        }
        schema.composites().forEach(type -> struct(typeNames.get(type.oid()), type.fields(), "let", Field::nullable));
        out.close("}");
    }

    private void enumeration(Enumeration type) {
        out.open("internal enum " + typeNames.get(type.type()) + ": String, Codable, Hashable, Sendable {");
        cases(members(type.labels()));
        out.close("}");
    }

    private void struct(String name, List<Field> fields, String binding, Predicate<Field> optional) {
        Map<String, String> members = members(fields.stream().map(Field::name).toList());
        List<Field> kept = fields.stream()
                .filter(field -> members.containsKey(field.name()))
                .toList();
        String identity = binding.equals("let")
                ? kept.stream()
                        .filter(field -> field.identity() && !field.nullable())
                        .map(field -> members.get(field.name()))
                        .filter(member -> member.equals("id") || !members.containsValue("id"))
                        .findFirst()
                        .orElse("")
                : "";
        out.open("internal struct " + name + CONFORMS + (identity.isEmpty() ? "" : ", Identifiable") + " {");
        if (!identity.isEmpty() && !identity.equals("id")) {
            Field field = kept.stream()
                    .filter(one -> members.get(one.name()).equals(identity))
                    .findFirst()
                    .orElseThrow();
            out.line("internal var id: " + type(field.type()) + " { " + identity + " }");
        }
        kept.forEach(field -> out.line("internal " + binding + " " + members.get(field.name()) + ": "
                + type(field.type()) + (optional.test(field) ? "?" : "")));
        if (!members.isEmpty()) {
            out.open("internal enum CodingKeys: String, CodingKey {");
            cases(members);
            out.close("}");
        }
        out.close("}");
    }

    private void cases(Map<String, String> members) {
        members.forEach((name, member) -> out.line("case " + member + " = " + quoted(name)));
    }

    /**
     * Members by name. Swift takes names that differ in the form of their characters alone (é as one or as two) for the same:
     * the first stands for all.
     */
    private static Map<String, String> members(List<String> names) {
        Set<String> seen = new HashSet<>();
        Map<String, String> members = new LinkedHashMap<>();
        Map<String, String> given = new UniqueNames(MEMBERS)
                .claimAll(
                        names.stream()
                                .filter(name -> seen.add(Normalizer.normalize(name, Normalizer.Form.NFC)))
                                .toList(),
                        Words::camel);
        names.stream().filter(given::containsKey).forEach(name -> members.put(name, inBackticks(given.get(name))));
        return members;
    }

    private static String inBackticks(String member) {
        return WORDS.contains(member) ? "`" + member + "`" : member;
    }

    private static String quoted(String value) {
        return SourceText.quoted(value, point -> "\\u{" + Integer.toHexString(point) + "}");
    }

    private String type(WireType type) {
        return switch (type) {
            case Label label -> references.get(label.type());
            case Row row -> references.get(row.relation());
            case ListOf list -> "[" + type(list.element()) + "]";
            case Scalar scalar ->
                switch (scalar.kind()) {
                    case BOOL -> "Bool";
                    case INT16 -> "Int16";
                    case INT32 -> "Int32";
                    case INT64 -> "Int64";
                    case FLOAT32 -> "Float";
                    case FLOAT64 -> "Double";
                    case NUMERIC -> "Decimal";
                    case UUID -> "UUID";
                    case DATE, TIME, TIMESTAMP, TEXT -> "String";
                    case JSON -> "AnyJSON";
                };
        };
    }
}

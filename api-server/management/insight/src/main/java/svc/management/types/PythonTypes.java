package svc.management.types;

import com.google.re2j.Pattern;
import java.util.HashMap;
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
 * Classes of Python 3.11 for pydantic 2: {@code PublicTodos} reads a row, and {@code PublicTodosInsert} and {@code …Update} are
 * dictionaries of what is written, in values that JSON has; enums are literals.
 */
final class PythonTypes {
    private static final List<String> OPERATIONS = List.of("", "Insert", "Update");
    private static final Pattern KEY = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** Names at the top of the module. */
    private static final Set<String> IMPORTED = Set.of(
            "Any",
            "Literal",
            "NotRequired",
            "Optional",
            "TypeAlias",
            "TypedDict",
            "BaseModel",
            "Field",
            "None",
            "True",
            "False");

    private static final Set<String> KEYWORDS = Set.of(
            "False",
            "None",
            "True",
            "and",
            "as",
            "assert",
            "async",
            "await",
            "break",
            "class",
            "continue",
            "def",
            "del",
            "elif",
            "else",
            "except",
            "finally",
            "for",
            "from",
            "global",
            "if",
            "import",
            "in",
            "is",
            "lambda",
            "nonlocal",
            "not",
            "or",
            "pass",
            "raise",
            "return",
            "try",
            "while",
            "with",
            "yield");

    /** The members of BaseModel, and the built-in types that annotations refer to. */
    private static final Set<String> MEMBERS = Set.of(
            "construct",
            "copy",
            "dict",
            "from_orm",
            "json",
            "parse_file",
            "parse_obj",
            "parse_raw",
            "schema",
            "schema_json",
            "update_forward_refs",
            "validate",
            "model_computed_fields",
            "model_config",
            "model_construct",
            "model_copy",
            "model_dump",
            "model_dump_json",
            "model_extra",
            "model_fields",
            "model_fields_set",
            "model_json_schema",
            "model_parametrized_name",
            "model_post_init",
            "model_rebuild",
            "model_validate",
            "model_validate_json",
            "model_validate_strings",
            "bool",
            "float",
            "int",
            "list",
            "str");

    private static final Set<String> RESERVED =
            Stream.concat(KEYWORDS.stream(), MEMBERS.stream()).collect(Collectors.toUnmodifiableSet());

    private final UniqueNames names = new UniqueNames(IMPORTED);
    private final Map<Long, String> typeNames = new HashMap<>();
    private final SourceText out = new SourceText("    ");

    private PythonTypes() {}

    static String of(TypeModel model) {
        var types = new PythonTypes();
        types.write(model);
        return types.out.toString();
    }

    private void write(TypeModel model) {
        // Columns are called datetime and uuid, and pydantic looks for names in the class first.
        out.line("from __future__ import annotations")
                .line("")
                .line("import datetime as _datetime")
                .line("import uuid as _uuid")
                .line("from typing import Any, Literal, NotRequired, Optional, TypeAlias, TypedDict")
                .line("")
                .line("from pydantic import BaseModel, Field");
        model.schemas().forEach(this::name);
        model.schemas().forEach(schema -> schema.enums().forEach(this::enumeration));
        // The dictionaries refer to literals alone: they may come before or after any class.
        for (Schema schema : model.schemas()) {
            for (Rows rows : schema.relations()) {
                String name = typeNames.get(rows.oid());
                model(name, rows.fields());
                if (rows.inserts()) {
                    dictionary(name + "Insert", rows.written(), Field::optional);
                }
                if (rows.updates()) {
                    dictionary(name + "Update", rows.written(), unused -> true);
                }
            }
            schema.composites().forEach(type -> model(typeNames.get(type.oid()), type.fields()));
        }
    }

    private void name(Schema schema) {
        String prefix = Words.pascal(schema.name());
        schema.enums().forEach(type -> typeNames.put(type.type(), names.claim(prefix + Words.pascal(type.name()))));
        schema.relations()
                .forEach(rows ->
                        typeNames.put(rows.oid(), names.claim(prefix + Words.pascal(rows.name()), OPERATIONS)));
        schema.composites().forEach(type -> typeNames.put(type.oid(), names.claim(prefix + Words.pascal(type.name()))));
    }

    private void enumeration(Enumeration type) {
        out.line("")
                .line(typeNames.get(type.type()) + ": TypeAlias = Literal["
                        + type.labels().stream().map(PythonTypes::quoted).collect(Collectors.joining(", ")) + "]");
    }

    private void model(String name, List<Field> fields) {
        Map<String, String> members = new UniqueNames(RESERVED)
                .claimAll(
                        fields.stream().map(Field::name).toList(),
                        column -> RESERVED.contains(Words.snake(column))
                                ? Words.snake(column) + "_"
                                : Words.snake(column));
        out.line("").line("").open("class " + name + "(BaseModel):");
        if (fields.isEmpty()) {
            out.line("pass");
        }
        for (Field field : fields) {
            String type = read(field.type());
            out.line(members.get(field.name()) + ": " + (field.nullable() ? "Optional[" + type + "]" : type)
                    + " = Field(alias=" + quoted(field.name()) + ")");
        }
        out.undent();
    }

    /** The keys are the columns' own names: what a class cannot have as a name is written as a string. */
    private void dictionary(String name, List<Field> fields, Predicate<Field> optional) {
        out.line("").line("");
        if (fields.stream().map(Field::name).allMatch(PythonTypes::isKey)) {
            out.open("class " + name + "(TypedDict):");
            if (fields.isEmpty()) {
                out.line("pass");
            }
            fields.forEach(field -> out.line(field.name() + ": " + entry(field, optional)));
            out.undent();
            return;
        }
        out.open(name + " = TypedDict(").line(quoted(name) + ",").open("{");
        fields.forEach(field -> out.line(quoted(field.name()) + ": " + entry(field, optional) + ","));
        out.close("},").close(")");
    }

    private String entry(Field field, Predicate<Field> optional) {
        String type = written(field.type());
        String value = field.nullable() ? "Optional[" + type + "]" : type;
        return optional.test(field) ? "NotRequired[" + value + "]" : value;
    }

    private static boolean isKey(String column) {
        return KEY.matches(column) && !column.startsWith("__") && !KEYWORDS.contains(column);
    }

    private static String quoted(String value) {
        return SourceText.quoted(value, point -> String.format("\\U%08x", point));
    }

    private String read(WireType type) {
        return switch (type) {
            case Label label -> typeNames.get(label.type());
            case Row row -> typeNames.get(row.relation());
            case ListOf list -> "list[" + read(list.element()) + "]";
            case Scalar scalar ->
                switch (scalar.kind()) {
                    case UUID -> "_uuid.UUID";
                    case DATE -> "_datetime.date";
                    case TIME -> "_datetime.time";
                    case TIMESTAMP -> "_datetime.datetime";
                    default -> written(scalar);
                };
        };
    }

    private String written(WireType type) {
        return switch (type) {
            case Label label -> typeNames.get(label.type());
            case Row unused -> "dict[str, Any]";
            case ListOf list -> "list[" + written(list.element()) + "]";
            case Scalar scalar ->
                switch (scalar.kind()) {
                    case BOOL -> "bool";
                    case INT16, INT32, INT64 -> "int";
                    case FLOAT32, FLOAT64, NUMERIC -> "float";
                    case UUID, DATE, TIME, TIMESTAMP, TEXT -> "str";
                    case JSON -> "Any";
                };
        };
    }
}

package svc.management.types;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import svc.management.types.TypeModel.Field;
import svc.management.types.TypeModel.Rows;
import svc.management.types.TypeModel.Schema;
import svc.management.types.WireType.Label;
import svc.management.types.WireType.ListOf;
import svc.management.types.WireType.Row;
import svc.management.types.WireType.Scalar;

/**
 * Structs of Go for {@code encoding/json}, as gofmt lays them out: {@code PublicTodosSelect}, {@code …Insert} and {@code
 * …Update}, and one of each composite type. What may be left out of a write is left out while it is nil.
 */
final class GoTypes {
    private static final String ANY = "interface{}";
    private static final List<String> OPERATIONS = List.of("Select", "Insert", "Update");

    /** What encoding/json accepts in a tag beside letters and digits. */
    private static final String IN_TAGS = "!#$%&()*+-./:;<=>?@[]^_{|}~ ";

    private final UniqueNames names = new UniqueNames(Set.of());
    private final SourceText out = new SourceText("\t");

    private GoTypes() {}

    static String of(TypeModel model) {
        var types = new GoTypes();
        types.out.line("package database");
        model.schemas().forEach(types::schema);
        return types.out.toString();
    }

    /** One line of a struct. */
    private record Line(String name, String type, String tag) {}

    private void schema(Schema schema) {
        String prefix = Words.pascal(schema.name());
        for (Rows rows : schema.relations()) {
            String name = names.claim(prefix + Words.pascal(rows.name()), OPERATIONS);
            struct(name + "Select", rows.fields(), false, false);
            if (rows.inserts()) {
                struct(name + "Insert", rows.written(), true, false);
            }
            if (rows.updates()) {
                struct(name + "Update", rows.written(), true, true);
            }
        }
        for (Rows type : schema.composites()) {
            struct(names.claim(prefix + Words.pascal(type.name())), type.fields(), false, false);
        }
    }

    /** @param writes whether a member that is nil is left out; {@code allOptional} for all of them */
    private void struct(String name, List<Field> fields, boolean writes, boolean allOptional) {
        Map<String, String> members = new UniqueNames(Set.of())
                .claimAll(fields.stream().map(Field::name).toList(), Words::pascal);
        List<Line> lines = new ArrayList<>();
        for (Field field : fields) {
            if (isInTags(field.name())) {
                boolean optional = allOptional || (writes ? field.optional() : field.nullable());
                String type = type(field.type());
                lines.add(new Line(
                        members.get(field.name()), optional ? optional(type) : type, tag(field, writes && optional)));
            }
        }
        out.line("");
        out.open("type " + name + " struct {");
        comment(fields);
        int longestName =
                lines.stream().mapToInt(line -> line.name().length()).max().orElse(0);
        int longestType =
                lines.stream().mapToInt(line -> line.type().length()).max().orElse(0);
        lines.forEach(
                line -> out.line(padded(line.name(), longestName) + padded(line.type(), longestType) + line.tag()));
        out.close("}");
    }

    private void comment(List<Field> fields) {
        String left = fields.stream()
                .map(Field::name)
                .filter(column -> !isInTags(column))
                .map(column -> SourceText.quoted(column, point -> String.format("\\U%08x", point)))
                .collect(Collectors.joining(", "));
        if (!left.isEmpty()) {
            out.line("// Left out, because encoding/json cannot name them: " + left + ".");
        }
    }

    private static String padded(String text, int length) {
        return text + " ".repeat(length - text.length() + 1);
    }

    private static boolean isInTags(String column) {
        return column.codePoints()
                .allMatch(
                        point -> IN_TAGS.indexOf(point) >= 0 || Character.isLetter(point) || Character.isDigit(point));
    }

    /** An empty slice or map is a value, which omitempty would leave out. */
    private static String tag(Field field, boolean leftOut) {
        String option = "";
        if (leftOut) {
            option = field.type() instanceof ListOf || field.type() instanceof Row ? ",omitzero" : ",omitempty";
        } else if (field.name().equals("-")) {
            // Without the comma encoding/json would leave the member out.
            option = ",";
        }
        return "`json:\"" + field.name() + option + "\"`";
    }

    private static String optional(String type) {
        return type.equals(ANY) || type.startsWith("[") || type.startsWith("map") ? type : "*" + type;
    }

    private static String type(WireType type) {
        return switch (type) {
            case Label unused -> "string";
            case Row unused -> "map[string]interface{}";
            case ListOf list -> "[]" + type(list.element());
            case Scalar scalar ->
                switch (scalar.kind()) {
                    case BOOL -> "bool";
                    case INT16 -> "int16";
                    case INT32 -> "int32";
                    case INT64 -> "int64";
                    case FLOAT32 -> "float32";
                    case FLOAT64, NUMERIC -> "float64";
                    case UUID, DATE, TIME, TIMESTAMP, TEXT -> "string";
                    case JSON -> ANY;
                };
        };
    }
}

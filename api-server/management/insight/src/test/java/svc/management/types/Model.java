package svc.management.types;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import svc.management.types.TypeModel.Enumeration;
import svc.management.types.TypeModel.Field;
import svc.management.types.TypeModel.Rows;
import svc.management.types.TypeModel.Schema;
import svc.management.types.WireType.Kind;
import svc.management.types.WireType.Label;
import svc.management.types.WireType.ListOf;
import svc.management.types.WireType.Row;
import svc.management.types.WireType.Scalar;

/** Models of schemas whose names are hostile to every language. */
final class Model {
    /** Pieces of names: words of the languages, what ends texts and comments, and what is invisible. */
    private static final List<String> PIECES = List.of(
            "a",
            "A",
            "b",
            "todo",
            "Todo",
            "_",
            "__",
            "-",
            " ",
            ".",
            ",",
            "1",
            "2",
            "42",
            "\"",
            "'",
            "`",
            "\\",
            "\\(x)",
            "$",
            "#{",
            "${",
            "//",
            "/*",
            "*/",
            "\n",
            "\r",
            "\t",
            "é",
            "e\u0301",
            "ß",
            "日本",
            "💥",
            "👩‍💻",
            "\u202e",
            "\u200b",
            "\u00a0",
            "\u0085",
            "\u2028",
            "class",
            "self",
            "Self",
            "init",
            "type",
            "Type",
            "in",
            "None",
            "def",
            "func",
            "struct",
            "select",
            "Select",
            "Insert",
            "Update",
            "schema",
            "Schema",
            "string",
            "String",
            "int64",
            "uuid",
            "UUID",
            "datetime",
            "json",
            "model_config",
            "model_dump",
            "dict",
            "list",
            "str",
            "any",
            "Any",
            "typed_dict",
            "coding_keys",
            "codable",
            "raw_value",
            "hash_value",
            "id",
            "ID",
            "package",
            "interface{}",
            "\"\"\"",
            "'''",
            ")",
            "}",
            ";",
            "%s",
            "\\n",
            "\\u0022",
            "public",
            "u2d");

    private Model() {}

    /** The same for the same seed. */
    static TypeModel random(long seed) {
        var random = new Random(seed);
        var next = new long[] {1};
        List<Schema> schemas = new ArrayList<>();
        List<Long> labels = new ArrayList<>();
        List<Long> rows = new ArrayList<>();
        for (String schema : names(random, 3)) {
            List<Enumeration> enums = names(random, 4).stream()
                    .map(name -> new Enumeration(next[0]++, name, names(random, 6)))
                    .toList();
            enums.forEach(type -> labels.add(type.type()));
            List<Rows> composites = names(random, 3).stream()
                    .map(name -> new Rows(next[0]++, name, fields(random, labels, rows), false, false))
                    .toList();
            composites.forEach(type -> rows.add(type.oid()));
            List<Rows> relations = names(random, 6).stream()
                    .map(name -> new Rows(
                            next[0]++, name, fields(random, labels, rows), random.nextBoolean(), random.nextBoolean()))
                    .toList();
            schemas.add(new Schema(schema, enums, relations, composites));
        }
        return new TypeModel(schemas);
    }

    /** A table alone in {@code public}. */
    static TypeModel ofColumns(List<String> columns) {
        return new TypeModel(List.of(new Schema(
                "public",
                List.of(),
                List.of(new Rows(1, "todos", columns.stream().map(Model::text).toList(), true, true)),
                List.of())));
    }

    static Field text(String name) {
        return new Field(name, new Scalar(Kind.TEXT), false, false, true, false);
    }

    private static List<Field> fields(Random random, List<Long> labels, List<Long> rows) {
        return names(random, 12).stream()
                .map(name -> new Field(
                        name,
                        type(random, labels, rows),
                        random.nextBoolean(),
                        random.nextBoolean(),
                        random.nextInt(4) > 0,
                        random.nextInt(8) == 0))
                .toList();
    }

    private static WireType type(Random random, List<Long> labels, List<Long> rows) {
        return switch (random.nextInt(6)) {
            case 0 -> new ListOf(type(random, labels, rows));
            case 1 -> labels.isEmpty() ? new Scalar(Kind.JSON) : new Label(labels.get(random.nextInt(labels.size())));
            case 2 -> rows.isEmpty() ? new Scalar(Kind.JSON) : new Row(rows.get(random.nextInt(rows.size())));
            default -> new Scalar(Kind.values()[random.nextInt(Kind.values().length)]);
        };
    }

    static List<String> names(Random random, int most) {
        Set<String> names = new LinkedHashSet<>();
        int count = random.nextInt(most) + 1;
        while (names.size() < count) {
            StringBuilder name = new StringBuilder();
            for (int piece = random.nextInt(4); piece >= 0; piece--) {
                name.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            names.add(name.toString());
        }
        return names.stream().sorted().toList();
    }
}

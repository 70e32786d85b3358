package svc.graphql.schema;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.catalog.ComputedColumn;
import svc.catalog.ProjectSchema;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Relationship;
import svc.catalog.Routine;
import svc.catalog.Table;
import svc.database.sql.SqlFragment;
import svc.postgres.flush.FlushRow;

/**
 * What a role may do with the relations, columns and functions of a schema. Two roles with equal answers see the same
 * GraphQL schema. The functions that test privileges are the only part of the catalog that callers may use, so the answer
 * comes from a statement that runs as the role.
 *
 */
public final class Privileges {
    /** A right on a column or on a whole relation. */
    enum Right {
        SELECT(1, 16),
        INSERT(2, 32),
        UPDATE(4, 64);

        private final int whole;
        private final int some;

        Right(int whole, int some) {
            this.whole = whole;
            this.some = some;
        }
    }

    private static final int DELETE = 8;
    private static final int ANY = 16 | 32 | 64;

    /**
     * One row for three binds, arrays of OIDs and names of schemas: two hexadecimal digits for each relation (the bits of
     * {@link Right} and DELETE), and one digit for each function and each schema. Relations and functions dropped meanwhile
     * have no privileges; a schema dropped meanwhile is an error.
     */
    public static final SqlFragment OBJECTS = SqlFragment.of("""
            SELECT
                (SELECT pg_catalog.string_agg(pg_catalog.lpad(pg_catalog.to_hex(COALESCE(
                        pg_catalog.has_table_privilege(c.oid, 'SELECT')::pg_catalog.int4
                        + 2 * pg_catalog.has_table_privilege(c.oid, 'INSERT')::pg_catalog.int4
                        + 4 * pg_catalog.has_table_privilege(c.oid, 'UPDATE')::pg_catalog.int4
                        + 8 * pg_catalog.has_table_privilege(c.oid, 'DELETE')::pg_catalog.int4
                        + 16 * pg_catalog.has_any_column_privilege(c.oid, 'SELECT')::pg_catalog.int4
                        + 32 * pg_catalog.has_any_column_privilege(c.oid, 'INSERT')::pg_catalog.int4
                        + 64 * pg_catalog.has_any_column_privilege(c.oid, 'UPDATE')::pg_catalog.int4, 0)), 2, '0'), ''
                        ORDER BY c.at)
                 FROM pg_catalog.unnest(?::pg_catalog.oid[]) WITH ORDINALITY c(oid, at)),
                (SELECT pg_catalog.string_agg(
                        CASE WHEN pg_catalog.has_function_privilege(p.oid, 'EXECUTE') THEN '1' ELSE '0' END, ''
                        ORDER BY p.at)
                 FROM pg_catalog.unnest(?::pg_catalog.oid[]) WITH ORDINALITY p(oid, at)),
                (SELECT pg_catalog.string_agg(
                        CASE WHEN pg_catalog.has_schema_privilege(s.name, 'USAGE') THEN '1' ELSE '0' END, ''
                        ORDER BY s.at)
                 FROM pg_catalog.unnest(?::pg_catalog.text[]) WITH ORDINALITY s(name, at))""");

    /** One row for two binds, the OIDs of relations and the names of columns: a digit with the bits of {@link Right}. */
    public static final SqlFragment COLUMNS = SqlFragment.of("""
            SELECT pg_catalog.string_agg(COALESCE(
                    pg_catalog.has_column_privilege(c.oid, c.name, 'SELECT')::pg_catalog.int4
                    + 2 * pg_catalog.has_column_privilege(c.oid, c.name, 'INSERT')::pg_catalog.int4
                    + 4 * pg_catalog.has_column_privilege(c.oid, c.name, 'UPDATE')::pg_catalog.int4, 0)
                    ::pg_catalog.text, '' ORDER BY c.at)
            FROM ROWS FROM (pg_catalog.unnest(?::pg_catalog.oid[]), pg_catalog.unnest(?::pg_catalog.text[]))
                WITH ORDINALITY c(oid, name, at)""");

    private final String fingerprint;
    private final Map<Long, Integer> relations = new HashMap<>();
    private final Map<Long, Boolean> functions = new HashMap<>();
    private final Map<ColumnKey, Integer> columns = new HashMap<>();

    private final Set<String> closed = new HashSet<>();

    private record ColumnKey(long relation, String name) {}

    private Privileges(Request request, Answer answer, String parts) {
        String tables = answer.tables();
        String routines = answer.routines();
        this.fingerprint = tables + "|" + routines + "|" + answer.schemas() + "|" + parts;
        for (int i = 0; i < request.schemas.size(); i++) {
            if (answer.schemas().charAt(i) == '0') {
                closed.add(request.schemas.get(i));
            }
        }
        for (int i = 0; i < request.relations.size(); i++) {
            relations.put(request.relations.get(i).oid(), Integer.parseInt(tables, 2 * i, 2 * i + 2, 16));
        }
        for (int i = 0; i < request.functions.size(); i++) {
            functions.put(request.functions.get(i), routines.charAt(i) == '1');
        }
    }

    /** The columns of {@link #OBJECTS}. */
    private record Answer(String tables, String routines, String schemas) {}

    /** The objects of a schema whose privileges are asked for, in a fixed order. */
    public static final class Request {
        private final List<Table> relations;
        private final List<Long> functions;
        private final List<String> schemas;

        public Request(ProjectSchema schema) {
            relations = schema.tables().stream()
                    .sorted(Comparator.comparing(Table::id))
                    .toList();
            List<Long> oids = new ArrayList<>();
            schema.routines()
                    .all()
                    .forEach(all -> all.stream().map(Routine::oid).forEach(oids::add));
            for (Table table : relations) {
                schema.routines().computedColumns(table.id()).stream()
                        .map(ComputedColumn::oid)
                        .forEach(oids::add);
                schema.relationships().computed(table.id()).stream()
                        .map(Relationship.Computed::oid)
                        .forEach(oids::add);
            }
            functions = oids.stream().distinct().sorted().toList();
            // Those with contents: an exposed schema need not exist.
            schemas = Stream.concat(
                            relations.stream().map(table -> table.id().schema()),
                            schema.routines().all().stream()
                                    .flatMap(List::stream)
                                    .map(routine -> routine.id().schema()))
                    .distinct()
                    .sorted()
                    .toList();
        }

        /** Of {@link #OBJECTS}. */
        public List<String> binds() {
            return List.of(
                    array(relations.stream().map(Table::oid).toList()), array(functions), PostgresArray.of(schemas));
        }

        /** The relations on whose columns the role has different rights. */
        public Partial partial(FlushRow objects) {
            String tables = objects.text(0).orElse("");
            List<Table> partial = new ArrayList<>();
            for (int i = 0; i < relations.size(); i++) {
                int bits = Integer.parseInt(tables, 2 * i, 2 * i + 2, 16);
                if ((bits & ANY) != (bits << 4 & ANY)) {
                    partial.add(relations.get(i));
                }
            }
            var answer = new Answer(
                    tables, objects.text(1).orElse(""), objects.text(2).orElse(""));
            return new Partial(this, answer, partial);
        }
    }

    /** The answer to the first statement. */
    public static final class Partial {
        private final Request request;
        private final Answer answer;
        private final List<Table> relations;

        private Partial(Request request, Answer answer, List<Table> relations) {
            this.request = request;
            this.answer = answer;
            this.relations = relations;
        }

        /** Whether no relation needs {@link #COLUMNS}. */
        public boolean isComplete() {
            return relations.isEmpty();
        }

        /** Of {@link #COLUMNS}. */
        public List<String> binds() {
            List<Long> oids = new ArrayList<>();
            List<String> names = new ArrayList<>();
            relations.forEach(table -> table.columns().forEach(column -> {
                oids.add(table.oid());
                names.add(column.name());
            }));
            return List.of(array(oids), PostgresArray.of(names));
        }

        /** Without rights on single columns. */
        public Privileges complete() {
            return new Privileges(request, answer, "");
        }

        public Privileges complete(FlushRow columns) {
            String bits = columns.text(0).orElse("");
            var privileges = new Privileges(request, answer, bits);
            int at = 0;
            for (Table table : relations) {
                for (Table.Column column : table.columns()) {
                    privileges.columns.put(
                            new ColumnKey(table.oid(), column.name()), Character.digit(bits.charAt(at++), 16));
                }
            }
            return privileges;
        }
    }

    /** The whole answer; equal exactly when the privileges on the same schema are. */
    public String fingerprint() {
        return fingerprint;
    }

    /** Bytes on the heap, estimated. */
    public int estimatedBytes() {
        return 200
                + fingerprint.getBytes(StandardCharsets.US_ASCII).length
                + 80 * (relations.size() + functions.size() + columns.size());
    }

    /** Without the right to use its schema nothing of a relation may be used. */
    boolean may(Right right, Table table, String column) {
        if (closed.contains(table.id().schema())) {
            return false;
        }
        int bits = relations.getOrDefault(table.oid(), 0);
        if ((bits & right.whole) != 0) {
            return true;
        }
        return (bits & right.some) != 0
                && (columns.getOrDefault(new ColumnKey(table.oid(), column), 0) & right.whole) != 0;
    }

    /** Whether the role may read the whole row. */
    boolean maySelectAll(Table table) {
        return table.columns().stream().allMatch(column -> may(Right.SELECT, table, column.name()));
    }

    boolean mayDelete(Table table) {
        return !closed.contains(table.id().schema()) && (relations.getOrDefault(table.oid(), 0) & DELETE) != 0;
    }

    boolean mayExecute(QualifiedIdentifier function, long oid) {
        return !closed.contains(function.schema()) && functions.getOrDefault(oid, false);
    }

    private static String array(List<Long> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
    }
}

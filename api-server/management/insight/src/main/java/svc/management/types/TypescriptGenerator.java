package svc.management.types;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import svc.management.introspection.ProjectFacts;
import svc.management.introspection.ProjectFacts.Namespace;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.introspection.ProjectFacts.Type;
import svc.management.introspection.ProjectFacts.ViewRow;
import svc.management.types.KeyLineage.TypedRelationship;

/**
 * Writes the types of schemas in the shape that supabase-js takes as {@code createClient<Database>}. The same schema gives
 * the same text. Pure.
 */
final class TypescriptGenerator {
    /** The PostgREST version whose features the REST API has; supabase-js chooses typings by it. */
    private static final String POSTGREST = "13.0";

    private static final String NONE = "[_ in never]: never";
    private static final int INSERT = 8;
    private static final int UPDATE = 4;
    private static final String HEAD = resource("head.ts.txt");
    private static final String HELPERS = resource("helpers.ts.txt");
    private static final String GRAPHQL = resource("graphql.ts.txt");

    private final ProjectFacts facts;
    private final List<Namespace> included;
    private final TypescriptTypes types;
    private final KeyLineage keys;
    private final TypescriptFunctions functions;
    private final Map<Long, List<CallableFunction>> callable;
    private final TypescriptText out = new TypescriptText();

    private TypescriptGenerator(ProjectFacts facts, List<Namespace> included) {
        this.facts = facts;
        this.included = included;
        this.types = new TypescriptTypes(
                facts, included.stream().map(Namespace::oid).collect(Collectors.toUnmodifiableSet()));
        this.keys = new KeyLineage(facts);
        this.functions = new TypescriptFunctions(types, out);
        this.callable = facts.routines().stream()
                .flatMap(routine -> CallableFunction.of(routine, facts).stream())
                .collect(Collectors.groupingBy(function -> function.routine().namespace()));
    }

    /**
     * @param schemas to describe; the first is the default of the helper types
     * @param graphql whether to add the schema {@code graphql_public} with the function of the GraphQL service
     */
    static String typescript(ProjectFacts facts, List<Namespace> schemas, boolean graphql) {
        List<Namespace> sorted =
                schemas.stream().sorted(Comparator.comparing(Namespace::name)).toList();
        return new TypescriptGenerator(facts, sorted).write(schemas.getFirst().name(), graphql);
    }

    private static String resource(String name) {
        try (InputStream in = TypescriptGenerator.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("while reading " + name, e);
        }
    }

    private String write(String first, boolean graphql) {
        out.append(HEAD).open("export type Database = {");
        out.open("__InternalSupabase: {")
                .line("PostgrestVersion: " + TypescriptText.quoted(POSTGREST))
                .close("}");
        if (graphql) {
            out.append(GRAPHQL);
        }
        included.forEach(this::schema);
        out.close("}");
        out.append(HELPERS.replace("@default@", TypescriptText.quoted(first)));
        out.line("").open("export const Constants = {");
        if (graphql) {
            out.open("graphql_public: {").line("Enums: {},").close("},");
        }
        included.forEach(this::constants);
        return out.close("} as const").toString();
    }

    private void schema(Namespace schema) {
        out.open(TypescriptText.name(schema.name()) + ": {");
        section("Tables", SchemaObjects.tables(facts, schema), this::table);
        section("Views", SchemaObjects.relations(facts, schema, Relation::isView), this::view);
        out.open("Functions: {");
        functions.write(callable.getOrDefault(schema.oid(), List.of()));
        out.close("}");
        section(
                "Enums",
                SchemaObjects.enums(facts, schema),
                type -> out.member(TypescriptText.name(type.name()), types.labels(type)));
        section("CompositeTypes", SchemaObjects.relations(facts, schema, SchemaObjects::isComposite), this::composite);
        out.close("}");
    }

    private <T> void section(String name, List<T> members, Consumer<T> writer) {
        out.open(name + ": {");
        if (members.isEmpty()) {
            out.line(NONE);
        }
        members.forEach(writer);
        out.close("}");
    }

    private void table(Relation table) {
        out.open(TypescriptText.name(table.name()) + ": {");
        row(table);
        object("Insert", insert(table));
        object("Update", update(table));
        relationships(table);
        out.close("}");
    }

    private void row(Relation relation) {
        Map<String, String> row = new TreeMap<>(TypescriptText.BY_NAME);
        row.putAll(types.rowOf(relation));
        facts.routines().stream()
                .filter(routine -> routine.types().contains(relation.rowType()))
                .flatMap(routine -> CallableFunction.of(routine, facts).stream())
                .filter(CallableFunction::isComputedColumn)
                .forEach(function -> row.putIfAbsent(
                        TypescriptText.name(function.routine().name()),
                        TypescriptTypes.orNull(types.of(function.routine().returns()))));
        object("Row", row);
    }

    private Map<String, String> insert(Relation table) {
        Map<String, String> members = new LinkedHashMap<>();
        TypescriptTypes.sorted(facts.columnsOf(table.oid())).forEach(column -> {
            String type = types.of(column, false);
            boolean optional = type.endsWith("| null")
                    || column.hasDefault()
                    || !column.identity().isEmpty();
            if (SchemaObjects.isComputed(column)) {
                members.put(TypescriptText.name(column.name()) + "?", "never");
            } else {
                members.put(TypescriptText.name(column.name()) + (optional ? "?" : ""), type);
            }
        });
        return members;
    }

    private Map<String, String> update(Relation table) {
        Map<String, String> members = new LinkedHashMap<>();
        TypescriptTypes.sorted(facts.columnsOf(table.oid()))
                .forEach(column -> members.put(
                        TypescriptText.name(column.name()) + "?",
                        SchemaObjects.isComputed(column) ? "never" : types.of(column, false)));
        return members;
    }

    private void view(Relation view) {
        out.open(TypescriptText.name(view.name()) + ": {");
        row(view);
        Optional<ViewRow> rule = Optional.ofNullable(facts.views().get(view.oid()));
        int events = rule.map(ViewRow::events).orElse(0);
        Set<Integer> updatable = rule.map(ViewRow::updatable).map(Set::copyOf).orElse(Set.of());
        if ((events & INSERT) != 0) {
            object("Insert", changes(view, updatable));
        }
        if ((events & UPDATE) != 0) {
            object("Update", changes(view, updatable));
        }
        relationships(view);
        out.close("}");
    }

    private Map<String, String> changes(Relation view, Set<Integer> updatable) {
        Map<String, String> members = new LinkedHashMap<>();
        TypescriptTypes.sorted(facts.columnsOf(view.oid()))
                .forEach(column -> members.put(
                        TypescriptText.name(column.name()) + "?",
                        updatable.contains(column.number()) ? types.of(column, true) : "never"));
        return members;
    }

    private void object(String name, Map<String, String> members) {
        out.open(name + ": {");
        members.forEach(out::member);
        out.close("}");
    }

    private void relationships(Relation relation) {
        List<TypedRelationship> found = keys.of(relation);
        if (found.isEmpty()) {
            out.line("Relationships: []");
            return;
        }
        out.open("Relationships: [");
        found.forEach(key -> out.open("{")
                .line("foreignKeyName: " + TypescriptText.quoted(key.key()))
                .line("columns: [" + String.join(", ", TypescriptText.quoted(key.columns())) + "]")
                .line("isOneToOne: " + key.oneToOne())
                .line("referencedRelation: " + TypescriptText.quoted(key.target()))
                .line("referencedColumns: [" + String.join(", ", TypescriptText.quoted(key.targetColumns())) + "]")
                .close("},"));
        out.close("]");
    }

    private void composite(Relation type) {
        out.open(TypescriptText.name(type.name()) + ": {");
        types.rowOf(type).forEach(out::member);
        out.close("}");
    }

    private void constants(Namespace schema) {
        out.open(TypescriptText.name(schema.name()) + ": {");
        List<Type> enums = SchemaObjects.enums(facts, schema);
        if (enums.isEmpty()) {
            out.line("Enums: {},");
        } else {
            out.open("Enums: {");
            enums.forEach(type -> out.constants(
                    TypescriptText.name(type.name()),
                    TypescriptText.quoted(facts.labels().getOrDefault(type.oid(), List.of()))));
            out.close("},");
        }
        out.close("},");
    }
}

package svc.graphql.introspection;

import static svc.graphql.introspection.TypeRef.named;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import svc.graphql.introspection.TypeDef.EnumDef;
import svc.graphql.introspection.TypeDef.InputDef;
import svc.graphql.schema.Entity;
import svc.graphql.schema.SchemaExtensions;

/** The types of an entity that pg_graphql has not. */
final class ExtensionTypes {
    private final SchemaExtensions extensions;
    private final Consumer<TypeDef> types;

    /** @param types gets each type */
    ExtensionTypes(SchemaExtensions extensions, Consumer<TypeDef> types) {
        this.extensions = extensions;
        this.types = types;
    }

    /** The types that every schema with extensions has. */
    static List<TypeDef> common() {
        return List.of(TypeDef.input(
                "JSONPath",
                Optional.of("A path of PostgreSQL's jsonpath, with values for its variables"),
                List.of(
                        InputDef.of("path", named("String").nonNull()),
                        InputDef.of("variables", "A JSON object", named("JSON")))));
    }

    void add(Entity entity) {
        types.accept(TypeDef.enumeration(
                entity.columnNameType(),
                Optional.empty(),
                entity.columns().keySet().stream()
                        .filter(name -> !List.of("true", "false", "null").contains(name))
                        .map(name -> new EnumDef(name, Optional.empty()))
                        .toList()));
        TypeRef filter = named(entity.filterType());
        types.accept(TypeDef.input(
                entity.typeName() + "RelationFilter",
                Optional.empty(),
                List.of(
                        InputDef.of("some", "At least one related record matches", filter),
                        InputDef.of("every", "No related record fails to match", filter),
                        InputDef.of("none", "No related record matches", filter))));
        if (!extensions.conflictKeys(entity).isEmpty()) {
            TypeRef columns = named(entity.columnNameType()).nonNull().list();
            types.accept(TypeDef.input(
                    entity.typeName() + "OnConflict",
                    Optional.empty(),
                    List.of(
                            InputDef.of("columns", "A unique key; the primary key by default", columns),
                            InputDef.of(
                                    "updateFields",
                                    "What to update, by default every field that is provided; none leaves the record as it is",
                                    columns),
                            InputDef.of("filter", "Which records to update", filter))));
        }
    }
}

package svc.embedded.kubernetes.schema;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The types that rules see, one per schema node, so that a rule that names a field the schema does not have is refused
 * when the definition is created, not when an object is validated.
 */
final class CelTypes {

    private final Map<String, CelType> declared = new LinkedHashMap<>();

    /** The type of a node; {@code name} is unique in the definition and appears in compile errors. */
    CelType typeOf(SchemaNode schema, String name) {
        return switch (schema.type()) {
            case OBJECT ->
                schema.values().isPresent()
                        ? MapType.create(
                                SimpleType.STRING, typeOf(schema.values().get(), name + ".@values"))
                        : structOf(schema, name);
            case ARRAY ->
                ListType.create(schema.items()
                        .map(items -> typeOf(items, name + ".@items"))
                        .orElse(SimpleType.DYN));
            case STRING -> stringType(schema.format());
            case INTEGER -> SimpleType.INT;
            case NUMBER -> SimpleType.DOUBLE;
            case BOOLEAN -> SimpleType.BOOL;
            case INT_OR_STRING, ANY -> SimpleType.DYN;
        };
    }

    private static CelType stringType(String format) {
        return switch (format) {
            case "date-time", "date" -> SimpleType.TIMESTAMP;
            case "duration" -> SimpleType.DURATION;
            case "byte" -> SimpleType.BYTES;
            default -> SimpleType.STRING;
        };
    }

    private CelType structOf(SchemaNode schema, String name) {
        if (schema.preservesUnknown() && schema.properties().isEmpty()) {
            return SimpleType.DYN;
        }
        if (declared.containsKey(name)) {
            return declared.get(name);
        }
        Map<String, CelType> fields = new LinkedHashMap<>();
        schema.properties()
                .forEach((field, node) -> CelNames.escape(field)
                        .ifPresent(escaped -> fields.put(escaped, typeOf(node, name + "." + field))));
        ImmutableMap<String, CelType> known = ImmutableMap.copyOf(fields);
        StructType struct = StructType.create(name, known.keySet(), field -> Optional.ofNullable(known.get(field)));
        declared.put(name, struct);
        return struct;
    }

    /** The declared types, for the compiler. */
    CelTypeProvider provider() {
        return new DeclaredTypes(ImmutableMap.copyOf(declared));
    }

    private record DeclaredTypes(ImmutableMap<String, CelType> byName) implements CelTypeProvider {

        @Override
        public ImmutableCollection<CelType> types() {
            return byName.values();
        }

        @Override
        public Optional<CelType> findType(String name) {
            return Optional.ofNullable(byName.get(name));
        }
    }
}

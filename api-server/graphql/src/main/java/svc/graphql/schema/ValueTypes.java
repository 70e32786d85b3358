package svc.graphql.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import svc.catalog.DataType;
import svc.graphql.schema.ValueType.Enumeration;
import svc.graphql.schema.ValueType.Label;
import svc.graphql.schema.ValueType.ListOf;
import svc.graphql.schema.ValueType.Scalar;

/** Maps types of the database to GraphQL types, each enum to one instance. */
final class ValueTypes {
    private static final Map<String, ScalarType> BUILTIN = Map.ofEntries(
            Map.entry("int2", ScalarType.INT),
            Map.entry("int4", ScalarType.INT),
            Map.entry("int8", ScalarType.BIG_INT),
            Map.entry("float4", ScalarType.FLOAT),
            Map.entry("float8", ScalarType.FLOAT),
            Map.entry("numeric", ScalarType.BIG_FLOAT),
            Map.entry("bool", ScalarType.BOOLEAN),
            Map.entry("text", ScalarType.STRING),
            Map.entry("varchar", ScalarType.STRING),
            Map.entry("bpchar", ScalarType.STRING),
            Map.entry("char", ScalarType.STRING),
            Map.entry("json", ScalarType.JSON),
            Map.entry("jsonb", ScalarType.JSON),
            Map.entry("uuid", ScalarType.UUID),
            Map.entry("date", ScalarType.DATE),
            Map.entry("time", ScalarType.TIME),
            Map.entry("timestamp", ScalarType.DATETIME),
            Map.entry("timestamptz", ScalarType.DATETIME));

    /** Names that no value of an enum may have. */
    private static final Set<String> LITERALS = Set.of("true", "false", "null");

    private static final String CATALOG = "pg_catalog";
    private static final String CITEXT = "citext";

    private final Function<String, Naming> namings;
    private final Map<DataType, Optional<ValueType>> known = new HashMap<>();
    private final TypeNames typeNames;

    /** @param namings the naming of a schema */
    ValueTypes(Function<String, Naming> namings, TypeNames typeNames) {
        this.namings = namings;
        this.typeNames = typeNames;
    }

    /** Empty for rows and pseudo types, which have no GraphQL type. */
    Optional<ValueType> of(DataType type) {
        Optional<ValueType> found = known.get(type);
        if (found == null) {
            found = make(type);
            known.put(type, found);
        }
        return found;
    }

    private Optional<ValueType> make(DataType type) {
        DataType under = type.underlying();
        return switch (under.form()) {
            case COMPOSITE, PSEUDO -> Optional.empty();
            case ARRAY ->
                under.element()
                        .filter(element -> element.underlying().form() != DataType.Form.ARRAY)
                        .flatMap(this::of)
                        .map(ListOf::new);
            case ENUM -> Optional.of(enumeration(under));
            case BASE, DOMAIN, RANGE -> Optional.of(new Scalar(scalar(under)));
        };
    }

    private static ScalarType scalar(DataType type) {
        if (type.id().schema().equals(CATALOG)) {
            return BUILTIN.getOrDefault(type.name(), ScalarType.OPAQUE);
        }
        return type.name().equals(CITEXT) ? ScalarType.STRING : ScalarType.OPAQUE;
    }

    /** An enum that GraphQL cannot name, or whose name another one has, is opaque. */
    private ValueType enumeration(DataType type) {
        var directive = CommentDirective.of(type.description());
        String name = directive
                .text("name")
                .orElseGet(() -> namings.apply(type.id().schema()).type(type.name()));
        List<Label> labels = new ArrayList<>();
        Set<String> names = new HashSet<>();
        boolean valid = !type.enumValues().isEmpty();
        for (String label : type.enumValues()) {
            String shown = directive.mapping(label).orElse(label);
            valid &= Naming.isValid(shown) && !LITERALS.contains(shown) && names.add(shown);
            labels.add(new Label(shown, label));
        }
        if (!valid || !typeNames.takeForValues(name)) {
            return new Scalar(ScalarType.OPAQUE);
        }
        boolean mapped = labels.stream().anyMatch(label -> !label.name().equals(label.label()));
        return new Enumeration(name, labels, mapped, directive.text("description"));
    }
}

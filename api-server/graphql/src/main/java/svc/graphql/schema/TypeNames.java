package svc.graphql.schema;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The names of types that a schema uses. Names that inflection or comments make may collide; an invalid schema would be
 * useless to every tool, so the first of two is kept and the other left out.
 */
final class TypeNames {
    private static final List<String> OF_ENTITY = List.of(
            "",
            "Connection",
            "Edge",
            "Filter",
            "OrderBy",
            "InsertInput",
            "InsertResponse",
            "UpdateInput",
            "UpdateResponse",
            "DeleteResponse",
            "Aggregate",
            "SumAggregateResult",
            "AvgAggregateResult",
            "MinAggregateResult",
            "MaxAggregateResult");

    /** Further ones of an entity in a schema with extensions. */
    private static final List<String> OF_EXTENDED_ENTITY = Stream.concat(
                    OF_ENTITY.stream(), Stream.of("ColumnName", "OnConflict", "RelationFilter"))
            .toList();

    private static final List<String> OF_VALUES = List.of("", "Filter", "ListFilter");

    private final Set<String> taken = new HashSet<>(
            Set.of("Query", "Mutation", "Subscription", "Node", "PageInfo", "FilterIs", "OrderByDirection"));

    private final List<String> ofEntity;

    /** @param extended whether the schema has extensions */
    TypeNames(boolean extended) {
        ofEntity = extended ? OF_EXTENDED_ENTITY : OF_ENTITY;
        if (extended) {
            taken.add("JSONPath");
        }
        Stream.of(ScalarType.values()).forEach(scalar -> takeForValues(scalar.typeName()));
    }

    /** Takes the names of an entity's types; false if one is invalid or taken. */
    boolean takeForEntity(String type) {
        return take(type, ofEntity);
    }

    /** Takes the names of a scalar or an enum and of its filters; false if one is invalid or taken. */
    boolean takeForValues(String type) {
        return take(type, OF_VALUES);
    }

    private boolean take(String type, List<String> suffixes) {
        List<String> names = suffixes.stream().map(type::concat).toList();
        return Naming.isValid(type) && names.stream().noneMatch(taken::contains) && taken.addAll(names);
    }
}

package svc.graphql.introspection;

import static svc.graphql.introspection.TypeRef.named;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import svc.graphql.introspection.TypeDef.FieldDef;
import svc.graphql.plan.ConnectionPlan.Function;
import svc.graphql.plan.ConnectionPlanner;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.ScalarType;
import svc.graphql.schema.ValueType;

/** The types of the aggregates of an entity, with pg_graphql's names and descriptions. */
final class AggregateTypes {
    private final Consumer<TypeDef> types;

    /** @param types gets each type */
    AggregateTypes(Consumer<TypeDef> types) {
        this.types = types;
    }

    void add(Entity entity) {
        List<FieldDef> fields = new ArrayList<>();
        fields.add(FieldDef.of(
                "count",
                "The number of records matching the query",
                named("Int").nonNull()));
        for (Function function : Function.values()) {
            List<FieldDef> values = entity.columns().values().stream()
                    .filter(column -> ConnectionPlanner.applies(function, column))
                    .map(column -> FieldDef.of(
                            column.name(),
                            noun(function) + " of " + column.name() + " across all matching records",
                            result(function, column)))
                    .toList();
            if (!values.isEmpty()) {
                String type = function.typeName(entity.typeName());
                types.accept(TypeDef.object(type, Optional.empty(), values));
                fields.add(FieldDef.of(function.name().toLowerCase(Locale.ROOT), description(function), named(type)));
            }
        }
        types.accept(TypeDef.object(entity.typeName() + "Aggregate", Optional.empty(), fields));
    }

    private static String noun(Function function) {
        return switch (function) {
            case SUM -> "Sum";
            case AVG -> "Average";
            case MIN -> "Minimum";
            case MAX -> "Maximum";
        };
    }

    private static String description(Function function) {
        return switch (function) {
            case SUM -> "Summation aggregates for numeric fields";
            case AVG -> "Average aggregates for numeric fields";
            case MIN -> "Minimum aggregates for comparable fields";
            case MAX -> "Maximum aggregates for comparable fields";
        };
    }

    /** The type of a value. */
    private static TypeRef result(Function function, EntityColumn column) {
        return column.type() instanceof ValueType.Scalar(ScalarType scalar)
                ? named(
                        switch (function) {
                            case SUM -> scalar.sum().typeName();
                            case AVG -> ScalarType.BIG_FLOAT.typeName();
                            case MIN, MAX -> scalar.extreme().typeName();
                        })
                : EntityTypes.ref(column.type());
    }
}

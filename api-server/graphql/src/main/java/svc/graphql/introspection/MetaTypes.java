package svc.graphql.introspection;

import static svc.graphql.introspection.TypeRef.named;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import svc.graphql.introspection.TypeDef.EnumDef;
import svc.graphql.introspection.TypeDef.FieldDef;
import svc.graphql.introspection.TypeDef.InputDef;

/** The types of introspection itself, and the directives. */
final class MetaTypes {
    static final List<String> LOCATIONS = List.of("FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT");

    private static final TypeRef STRING = named("String");
    private static final TypeRef BOOLEAN = named("Boolean");
    private static final TypeRef TYPE = named("__Type");

    private MetaTypes() {}

    static List<TypeDef> all() {
        InputDef deprecated = new InputDef("includeDeprecated", Optional.empty(), BOOLEAN, Optional.of("false"));
        FieldDef name = FieldDef.of("name", STRING.nonNull());
        FieldDef description = FieldDef.of("description", STRING);
        FieldDef isDeprecated = FieldDef.of("isDeprecated", BOOLEAN.nonNull());
        FieldDef reason = FieldDef.of("deprecationReason", STRING);
        FieldDef args =
                FieldDef.of("args", named("__InputValue").nonNull().list().nonNull());
        return List.of(
                object(
                        "__Schema",
                        description,
                        FieldDef.of("types", TYPE.nonNull().list().nonNull()),
                        FieldDef.of("queryType", TYPE.nonNull()),
                        FieldDef.of("mutationType", TYPE),
                        FieldDef.of("subscriptionType", TYPE),
                        FieldDef.of(
                                "directives",
                                named("__Directive").nonNull().list().nonNull())),
                object(
                        "__Type",
                        FieldDef.of("kind", named("__TypeKind").nonNull()),
                        FieldDef.of("name", STRING),
                        description,
                        FieldDef.of("specifiedByURL", STRING),
                        listed("fields", "__Field", deprecated),
                        FieldDef.of("interfaces", TYPE.nonNull().list()),
                        FieldDef.of("possibleTypes", TYPE.nonNull().list()),
                        listed("enumValues", "__EnumValue", deprecated),
                        listed("inputFields", "__InputValue", deprecated),
                        FieldDef.of("ofType", TYPE),
                        FieldDef.of("isOneOf", BOOLEAN)),
                object("__Field", name, description, args, FieldDef.of("type", TYPE.nonNull()), isDeprecated, reason),
                object(
                        "__InputValue",
                        name,
                        description,
                        FieldDef.of("type", TYPE.nonNull()),
                        FieldDef.of("defaultValue", STRING),
                        isDeprecated,
                        reason),
                object("__EnumValue", name, description, isDeprecated, reason),
                object(
                        "__Directive",
                        name,
                        description,
                        FieldDef.of("isRepeatable", BOOLEAN.nonNull()),
                        FieldDef.of(
                                "locations",
                                named("__DirectiveLocation").nonNull().list().nonNull()),
                        args),
                enumeration("__TypeKind", Stream.of(TypeDef.Kind.values()).map(Enum::name)),
                enumeration("__DirectiveLocation", LOCATIONS.stream()));
    }

    private static TypeDef object(String name, FieldDef... fields) {
        return TypeDef.object(name, Optional.empty(), List.of(fields));
    }

    private static FieldDef listed(String name, String type, InputDef argument) {
        return new FieldDef(
                name, Optional.empty(), List.of(argument), named(type).nonNull().list());
    }

    private static TypeDef enumeration(String name, Stream<String> values) {
        return TypeDef.enumeration(
                name,
                Optional.empty(),
                values.map(value -> new EnumDef(value, Optional.empty())).toList());
    }
}

package svc.graphql.introspection;

import java.util.List;
import java.util.Optional;

/** A named type. */
record TypeDef(
        Kind kind,
        String name,
        Optional<String> description,
        List<FieldDef> fields,
        List<InputDef> inputs,
        List<EnumDef> values,
        List<String> interfaces,
        List<String> possibleTypes) {
    /** {@code __TypeKind}. */
    enum Kind {
        SCALAR,
        OBJECT,
        INTERFACE,
        UNION,
        ENUM,
        INPUT_OBJECT,
        LIST,
        NON_NULL
    }

    record FieldDef(String name, Optional<String> description, List<InputDef> arguments, TypeRef type) {
        static FieldDef of(String name, TypeRef type) {
            return new FieldDef(name, Optional.empty(), List.of(), type);
        }

        static FieldDef of(String name, String description, TypeRef type) {
            return new FieldDef(name, Optional.of(description), List.of(), type);
        }
    }

    /** An argument or a field of an input object. */
    record InputDef(String name, Optional<String> description, TypeRef type, Optional<String> defaultValue) {
        static InputDef of(String name, TypeRef type) {
            return new InputDef(name, Optional.empty(), type, Optional.empty());
        }

        static InputDef of(String name, String description, TypeRef type) {
            return new InputDef(name, Optional.of(description), type, Optional.empty());
        }
    }

    record EnumDef(String name, Optional<String> description) {}

    static TypeDef scalar(String name, String description) {
        return new TypeDef(
                Kind.SCALAR, name, Optional.of(description), List.of(), List.of(), List.of(), List.of(), List.of());
    }

    static TypeDef object(String name, Optional<String> description, List<FieldDef> fields) {
        return new TypeDef(Kind.OBJECT, name, description, fields, List.of(), List.of(), List.of(), List.of());
    }

    static TypeDef input(String name, Optional<String> description, List<InputDef> inputs) {
        return new TypeDef(Kind.INPUT_OBJECT, name, description, List.of(), inputs, List.of(), List.of(), List.of());
    }

    static TypeDef enumeration(String name, Optional<String> description, List<EnumDef> values) {
        return new TypeDef(Kind.ENUM, name, description, List.of(), List.of(), values, List.of(), List.of());
    }

    TypeDef implementing(String type) {
        return new TypeDef(kind, name, description, fields, inputs, values, List.of(type), possibleTypes);
    }
}

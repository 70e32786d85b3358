package svc.graphql.introspection;

/** The type of a field or an argument. */
sealed interface TypeRef {
    record Named(String name) implements TypeRef {}

    record NonNull(TypeRef of) implements TypeRef {}

    record ListOf(TypeRef of) implements TypeRef {}

    static TypeRef named(String name) {
        return new Named(name);
    }

    default TypeRef nonNull() {
        return new NonNull(this);
    }

    default TypeRef list() {
        return new ListOf(this);
    }
}

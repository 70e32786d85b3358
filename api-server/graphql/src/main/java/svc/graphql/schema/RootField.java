package svc.graphql.schema;

/** A field of the types Query and Mutation. */
public sealed interface RootField {
    record Collection(Entity entity) implements RootField {}

    record ByKey(Entity entity) implements RootField {}

    record Node() implements RootField {}

    record Insert(Entity entity) implements RootField {}

    record Update(Entity entity) implements RootField {}

    record Delete(Entity entity) implements RootField {}

    record Call(FunctionField function) implements RootField {}
}

package svc.rest.resolution;

import java.util.Optional;
import svc.catalog.Relationship;
import svc.catalog.TestingSchema;
import svc.rest.resolution.RelationshipResolution.Found;

/** Resolves embeddings of a test's schema and describes what is found. */
final class TestingResolver {
    private TestingResolver() {}

    /** @param target with a hint after an exclamation mark, as in a request */
    static RelationshipResolution resolve(TestingSchema schema, String origin, String target) {
        String[] parts = target.split("!");
        return new RelationshipResolver(schema.schema().relationships())
                .resolve(schema.name(origin), parts[0], parts.length == 1 ? Optional.empty() : Optional.of(parts[1]));
    }

    /** A relationship in one line: cardinality, constraint and columns. */
    static String found(TestingSchema schema, String origin, String target) {
        return switch (resolve(schema, origin, target)) {
            case Found(Relationship.Detected one) -> text(one);
            case Found(Relationship.Computed one) ->
                "computed " + one.function().name() + " to "
                        + one.foreignTable().name() + (one.toOne() ? " one" : " many");
            case RelationshipResolution.None none -> "none " + none.hint().orElse("");
            case RelationshipResolution.Ambiguous ambiguous ->
                "ambiguous " + ambiguous.candidates().size();
        };
    }

    private static String text(Relationship.Detected one) {
        RelationshipResolution.Candidate details = AmbiguityDetails.candidate(one);
        return details.cardinality() + ": " + details.relationship();
    }
}

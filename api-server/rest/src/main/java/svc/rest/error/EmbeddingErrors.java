package svc.rest.error;

import java.util.List;
import java.util.Optional;
import svc.rest.resolution.RelationshipResolution.Candidate;

/** Errors about embedded resources. */
public final class EmbeddingErrors {
    private EmbeddingErrors() {}

    /** A parameter names a resource that {@code select} does not embed. */
    public static RestError notEmbedded(String name) {
        return new RestError(
                400,
                "PGRST108",
                "'" + name + "' is not an embedded resource in this request",
                Optional.empty(),
                Optional.of("Verify that '" + name + "' is included in the 'select' query parameter."));
    }

    /** Rows cannot be ordered by a to-many resource. */
    public static RestError relatedOrder(String origin, String target) {
        return new RestError(
                400,
                "PGRST118",
                "A related order on '" + target + "' is not possible",
                Optional.of(
                        "'" + origin + "' and '" + target + "' do not form a many-to-one or one-to-one relationship"),
                Optional.empty());
    }

    /** A filter compares an embedded resource with a value. */
    public static RestError embeddedFilter(String name) {
        return new RestError(
                400,
                "PGRST120",
                "Bad operator on the '" + name + "' embedded resource",
                Optional.of("Only is null or not is null filters are allowed on embedded resources"),
                Optional.empty());
    }

    public static RestError unrelated(
            String origin, String target, Optional<String> asked, String schema, Optional<String> hint) {
        return new RestError(
                400,
                "PGRST200",
                "Could not find a relationship between '" + origin + "' and '" + target + "' in the schema cache",
                Optional.of("Searched for a foreign key relationship between '" + origin + "' and '" + target
                        + asked.map(name -> "' using the hint '" + name).orElse("") + "' in the schema '" + schema
                        + "', but no matches were found."),
                hint);
    }

    public static RestError ambiguousRelation(String origin, String target, List<Candidate> candidates, String hint) {
        return new RestError(
                300,
                "PGRST201",
                "Could not embed because more than one relationship was found for '" + origin + "' and '" + target
                        + "'",
                Optional.of(candidates),
                Optional.of(hint));
    }
}

package svc.rest.resolution;

import java.util.List;
import java.util.Optional;
import svc.catalog.Relationship;

/** The relationship that an embedding's target and hint name, or why there is not exactly one. */
public sealed interface RelationshipResolution {
    /** Exactly one relationship. */
    record Found(Relationship relationship) implements RelationshipResolution {}

    /**
     * No relationship: PGRST200.
     *
     * @param hint PostgREST's, when the origin or the target is similar to a known name
     */
    record None(Optional<String> hint) implements RelationshipResolution {}

    /**
     * More than one: PGRST201.
     *
     * @param candidates PostgREST's details, one for each relationship
     * @param hint PostgREST's, which lists the candidates as {@code 'target!constraint'}
     */
    record Ambiguous(List<Candidate> candidates, String hint) implements RelationshipResolution {
        public Ambiguous {
            candidates = List.copyOf(candidates);
        }
    }

    /**
     * One of several relationships, as PGRST201 shows it.
     *
     * @param cardinality {@code many-to-one}, …
     * @param embedding {@code origin with target}
     * @param relationship the constraints with their columns, in PostgREST's format
     */
    record Candidate(String cardinality, String embedding, String relationship) {}
}

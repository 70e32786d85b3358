package svc.database.project;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.Set;

/**
 * The result of {@link ObservationQuery}.
 *
 * @param facts all facts about the project; empty when the query was given their unchanged fingerprint
 * @param fingerprint SHA-256 of all facts, in hexadecimal
 */
public record Observation(Set<Fact> facts, String fingerprint) {
    /** Of a project without any object. */
    public static final Observation NOTHING = new Observation(Set.of(), "");

    private static final String FINGERPRINT = "fingerprint";

    public Observation {
        facts = Set.copyOf(facts);
        requireNonNull(fingerprint, "fingerprint is null");
    }

    /** Builds an observation from the rows of a result, in any order. */
    public static final class Rows {
        private final Set<Fact> facts = new HashSet<>();
        private String fingerprint = "";

        /**
         * The three columns of one row.
         *
         * @throws IllegalArgumentException for an unknown kind
         */
        public void add(String kind, String subject, String value) {
            if (kind.equals(FINGERPRINT)) {
                fingerprint = value;
            } else {
                facts.add(new Fact(Fact.Kind.ofWord(kind), subject, value));
            }
        }

        public Observation observation() {
            return new Observation(facts, fingerprint);
        }
    }
}

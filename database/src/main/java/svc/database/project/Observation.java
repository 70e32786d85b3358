package svc.database.project;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.Set;

/**
 * What {@link ObservationQuery} answered.
 *
 * @param facts all that is true of the project; empty when the query was told the print that they still have
 * @param print SHA-256 of all facts, in hexadecimal digits: the same as long as the same is true
 */
public record Observation(Set<Fact> facts, String print) {
    /** Of a project of which nothing exists. */
    public static final Observation NOTHING = new Observation(Set.of(), "");

    private static final String PRINT = "print";

    public Observation {
        facts = Set.copyOf(facts);
        requireNonNull(print, "print is null");
    }

    /** Takes the rows of an answer, in any order, and makes an observation of them. */
    public static final class Rows {
        private final Set<Fact> facts = new HashSet<>();
        private String print = "";

        /**
         * The three columns of one row.
         *
         * @throws IllegalArgumentException for a kind that no fact has
         */
        public void add(String kind, String subject, String value) {
            if (kind.equals(PRINT)) {
                print = value;
            } else {
                facts.add(new Fact(Fact.Kind.ofWord(kind), subject, value));
            }
        }

        public Observation observation() {
            return new Observation(facts, print);
        }
    }
}

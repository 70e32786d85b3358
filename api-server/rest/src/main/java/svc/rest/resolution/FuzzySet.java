package svc.rest.resolution;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the most similar name, scored like PostgREST's fuzzy sets: names must have a bigram in common; the score is one less
 * the Levenshtein distance divided by the length of the longer name. Case is ignored.
 */
final class FuzzySet {
    /** Minimum score of the names of relations and functions. */
    static final double MIN_NAME_SCORE = 0.75;

    /** Minimum score among what is related to a known relation or function: such a hint discloses nothing. */
    static final double MIN_RELATED_SCORE = 0.33;

    /** PostgREST searches no larger sets: an error must not cost more than an answer. */
    private static final int MAX_NAMES = 500;

    private final List<String> names;

    private FuzzySet(List<String> names) {
        this.names = names;
    }

    static FuzzySet of(List<String> names) {
        return new FuzzySet(names);
    }

    /** The name with the highest score that is at least {@code minScore}; of equal scores the first in alphabetical order. */
    Optional<String> closest(String wanted, double minScore) {
        if (names.size() >= MAX_NAMES) {
            return Optional.empty();
        }
        String text = wanted.toLowerCase(Locale.ROOT);
        Set<String> grams = grams(normalized(wanted));
        record Scored(String name, double score) {}
        return names.stream()
                .filter(name -> mayScore(name.toLowerCase(Locale.ROOT), text, minScore))
                .filter(name -> grams(normalized(name)).stream().anyMatch(grams::contains))
                .map(name -> new Scored(name, score(name.toLowerCase(Locale.ROOT), text)))
                .filter(scored -> scored.score() >= minScore)
                .max(Comparator.comparingDouble(Scored::score).thenComparing(Scored::name, Comparator.reverseOrder()))
                .map(Scored::name);
    }

    private static String normalized(String text) {
        StringBuilder kept = new StringBuilder();
        text.toLowerCase(Locale.ROOT)
                .codePoints()
                .filter(c -> Character.isLetterOrDigit(c) || c == '_' || c == ' ' || c == ',')
                .forEach(kept::appendCodePoint);
        return kept.toString();
    }

    private static Set<String> grams(String text) {
        String enclosed = "-" + text + "-";
        Set<String> grams = new HashSet<>();
        for (int i = 0; i + 2 <= enclosed.length(); i++) {
            grams.add(enclosed.substring(i, i + 2));
        }
        return grams;
    }

    /** Whether the lengths alone allow that score: the distance costs the square of the length. */
    private static boolean mayScore(String one, String other, double minScore) {
        int longest = Math.max(one.length(), other.length());
        return Math.min(one.length(), other.length()) >= longest * minScore;
    }

    /** 1 for equal texts, 0 for texts that have nothing in common. */
    private static double score(String one, String other) {
        int longest = Math.max(one.length(), other.length());
        if (longest == 0) {
            return 1;
        }
        int[] above = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] row = new int[other.length() + 1];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = above[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return 1 - (double) above[other.length()] / longest;
    }
}

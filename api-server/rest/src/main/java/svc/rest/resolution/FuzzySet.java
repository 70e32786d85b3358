package svc.rest.resolution;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the most similar name, as PostgREST's fuzzy sets do: among the names with three letters in a row in common with the
 * wanted one, or if none of them scores enough, with two. The score is one less the Levenshtein distance divided by the length
 * of the longer name. Case is ignored, and underscores count in the score only.
 */
final class FuzzySet {
    /** Minimum score of the names of relations and functions. */
    static final double MIN_NAME_SCORE = 0.75;

    /** Minimum score among what is related to a known relation or function: such a hint discloses nothing. */
    static final double MIN_RELATED_SCORE = 0.33;

    /** PostgREST searches no larger sets: an error must not cost more than an answer. */
    private static final int MAX_NAMES = 500;

    /** Letters in a row that names must have in common, at first. */
    private static final int MAX_GRAM = 3;

    /** The same, if no name has as many. */
    private static final int MIN_GRAM = 2;

    private final List<String> names;

    private FuzzySet(List<String> names) {
        this.names = names;
    }

    static FuzzySet of(List<String> names) {
        return new FuzzySet(names);
    }

    /**
     * The name with the highest score that is at least {@code minScore}; of equal scores the one with more letters in common,
     * then the first in alphabetical order.
     */
    Optional<String> closest(String wanted, double minScore) {
        if (names.size() >= MAX_NAMES) {
            return Optional.empty();
        }
        String text = wanted.toLowerCase(Locale.ROOT);
        List<String> candidates = names.stream()
                .filter(name -> mayScore(name.toLowerCase(Locale.ROOT), text, minScore))
                .sorted()
                .toList();
        if (candidates.isEmpty()) {
            return Optional.empty();
        }
        return closest(candidates, text, minScore, MAX_GRAM).or(() -> closest(candidates, text, minScore, MIN_GRAM));
    }

    private static Optional<String> closest(List<String> candidates, String text, double minScore, int size) {
        record Scored(String name, double common, double score) {}
        Grams wanted = Grams.of(text, size);
        return candidates.stream()
                .map(name -> {
                    String lower = name.toLowerCase(Locale.ROOT);
                    double common = wanted.similarity(Grams.of(lower, size));
                    return new Scored(name, common, common == 0 ? 0 : score(lower, text));
                })
                .filter(scored -> scored.common() > 0 && scored.score() >= minScore)
                .min(Comparator.comparingDouble(Scored::score)
                        .thenComparingDouble(Scored::common)
                        .reversed()
                        .thenComparing(Scored::name))
                .map(Scored::name);
    }

    /**
     * The letters in a row of a name, with how often they occur.
     *
     * @param magnitude of the vector of the counts
     */
    private record Grams(Map<String, Integer> counts, double magnitude) {
        /** @param text in lower case; what is not a letter, a digit, a space or a comma is left out */
        static Grams of(String text, int size) {
            StringBuilder enclosed = new StringBuilder("-");
            text.codePoints()
                    .filter(c -> Character.isLetterOrDigit(c) || Character.isWhitespace(c) || c == ',')
                    .forEach(enclosed::appendCodePoint);
            enclosed.append('-');
            Map<String, Integer> counts = new HashMap<>();
            for (int i = 0; i + size <= enclosed.length(); i++) {
                counts.merge(enclosed.substring(i, i + size), 1, Integer::sum);
            }
            double squares = counts.values().stream()
                    .mapToDouble(count -> (double) count * count)
                    .sum();
            return new Grams(counts, Math.sqrt(squares));
        }

        /** The cosine of the angle between both vectors: 0 for names with nothing in common. */
        double similarity(Grams other) {
            double product = counts.entrySet().stream()
                    .mapToDouble(gram -> (double) gram.getValue() * other.counts.getOrDefault(gram.getKey(), 0))
                    .sum();
            return product == 0 ? 0 : product / (magnitude * other.magnitude);
        }
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

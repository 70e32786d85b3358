package svc.catalog;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Names of which one may have been meant. How alike two are is judged as PostgREST's fuzzy sets do it: at least two
 * neighbouring characters in common, and then how much of the longer one need not be edited. Case does not matter.
 */
final class FuzzySet {
    /** Least likeness of the names of relations and functions. */
    static final double NAMES = 0.75;

    /** Least likeness among what is related to a known thing, which gives nothing away. */
    static final double RELATED = 0.33;

    /** PostgREST searches no larger sets: an error must not cost more than an answer. */
    private static final int MOST = 500;

    private final List<String> names;

    private FuzzySet(List<String> names) {
        this.names = names;
    }

    static FuzzySet of(List<String> names) {
        return new FuzzySet(names);
    }

    /** The likest name that is at least so much alike; of two, the first in the order of the alphabet. */
    Optional<String> closest(String wanted, double least) {
        if (names.size() >= MOST) {
            return Optional.empty();
        }
        String text = wanted.toLowerCase(Locale.ROOT);
        Set<String> grams = grams(normalized(wanted));
        record Scored(String name, double score) {}
        return names.stream()
                .filter(name -> mayBeAlike(name.toLowerCase(Locale.ROOT), text, least))
                .filter(name -> grams(normalized(name)).stream().anyMatch(grams::contains))
                .map(name -> new Scored(name, likeness(name.toLowerCase(Locale.ROOT), text)))
                .filter(scored -> scored.score() >= least)
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

    /** Whether the lengths alone leave it possible: what costs the square of the length is done for few. */
    private static boolean mayBeAlike(String one, String other, double least) {
        int longest = Math.max(one.length(), other.length());
        return Math.min(one.length(), other.length()) >= longest * least;
    }

    /** 1 for the same text, 0 for nothing in common: one less the edits for each character of the longer one. */
    private static double likeness(String one, String other) {
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

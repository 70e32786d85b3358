package svc.management.docs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ranks sections by Okapi BM25 and their weight; a term of a heading counts as several of the text. Written here because Lucene and its
 * analysers have six megabytes and files of their own, for a thousand sections that fit into memory. Immutable.
 */
final class SectionIndex {
    private static final double SATURATION = 1.2;
    private static final double LENGTH_WEIGHT = 0.75;
    private static final int IN_TITLE = 4;
    private static final int IN_PAGE_TITLE = 2;

    private final List<DocSection> sections;

    /** By term: how often each section has it. */
    private final Map<String, Map<Integer, Integer>> postings = new HashMap<>();

    private final int[] lengths;
    private final double usualLength;

    SectionIndex(List<DocSection> sections) {
        this.sections = List.copyOf(sections);
        this.lengths = new int[sections.size()];
        long sum = 0;
        for (int i = 0; i < lengths.length; i++) {
            DocSection section = sections.get(i);
            add(i, section.text(), 1);
            add(i, section.title(), IN_TITLE);
            add(i, section.pageTitle() + " " + section.page(), IN_PAGE_TITLE);
            sum += lengths[i];
        }
        this.usualLength = Math.max(1.0, (double) sum / Math.max(1, lengths.length));
    }

    private void add(int section, String text, int weight) {
        for (String term : Terms.of(text)) {
            postings.computeIfAbsent(term, any -> new HashMap<>()).merge(section, weight, Integer::sum);
            lengths[section]++;
        }
    }

    /** The sections that have any of the query's terms, the best first; one with most of the terms is before one with a rare one. */
    List<DocSection> search(String query, int limit) {
        Map<Integer, Double> scores = new HashMap<>();
        Map<Integer, Integer> matches = new HashMap<>();
        Set<String> terms = Terms.ofQuery(query);
        for (String term : terms) {
            Map<Integer, Integer> found = postings.getOrDefault(term, Map.of());
            double rarity = Math.log(1 + (sections.size() - found.size() + 0.5) / (found.size() + 0.5));
            found.forEach((section, count) -> {
                scores.merge(section, rarity * weight(section, count), Double::sum);
                matches.merge(section, 1, Integer::sum);
            });
        }
        scores.replaceAll((section, score) -> score
                * matches.get(section)
                / terms.size()
                * sections.get(section).weight());
        return scores.entrySet().stream()
                .sorted(Map.Entry.<Integer, Double>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(limit)
                .map(entry -> sections.get(entry.getKey()))
                .toList();
    }

    private double weight(int section, int count) {
        double length = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * lengths[section] / usualLength;
        return count * (SATURATION + 1) / (count + SATURATION * length);
    }

    /**
     * The part of a section that says most about a query, by whole lines where they fit.
     *
     * @param limit in characters
     */
    static String excerpt(DocSection section, String query, int limit) {
        if (section.text().length() <= limit) {
            return section.text();
        }
        Set<String> terms = Terms.ofQuery(query);
        List<String> lines = section.text().lines().toList();
        int best = 0;
        long most = -1;
        for (int i = 0; i < lines.size(); i++) {
            long hits = Terms.of(lines.get(i)).stream()
                    .distinct()
                    .filter(terms::contains)
                    .count();
            if (hits > most) {
                most = hits;
                best = i;
            }
        }
        return around(lines, best, limit);
    }

    /** Lines after the given one, and then lines before it, as far as they fit. */
    private static String around(List<String> lines, int at, int limit) {
        List<String> taken = new ArrayList<>(List.of(cut(lines.get(at), limit)));
        int left = limit - taken.getFirst().length();
        int after = at + 1;
        while (after < lines.size() && lines.get(after).length() < left) {
            left -= lines.get(after).length() + 1;
            taken.add(lines.get(after++));
        }
        int before = at - 1;
        while (before >= 0 && lines.get(before).length() < left) {
            left -= lines.get(before).length() + 1;
            taken.addFirst(lines.get(before--));
        }
        return (before >= 0 ? "…\n" : "") + String.join("\n", taken) + (after < lines.size() ? "\n…" : "");
    }

    private static String cut(String line, int limit) {
        if (line.length() <= limit) {
            return line;
        }
        int end = Character.isHighSurrogate(line.charAt(limit - 1)) ? limit - 1 : limit;
        return line.substring(0, end) + "…";
    }
}

package svc.management.docs;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits text into the terms that it is found by. Pure. */
final class Terms {
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+(?:_[\\p{L}\\p{N}]+)*");
    private static final int SHORTEST_STEMMED = 4;

    /** Words that are in every section. */
    private static final Set<String> STOP_WORDS = Set.of(
            "a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "how", "i", "if", "in",
            "is", "it", "its", "my", "of", "on", "or", "the", "this", "that", "to", "what", "when", "with");

    /** Words of users beside those of the pages. */
    private static final Map<String, List<String>> ALIASES = Map.of(
            "rls", List.of("row", "security"),
            "login", List.of("sign"),
            "signin", List.of("sign"),
            "signup", List.of("sign"),
            "websocket", List.of("realtime"));

    private Terms() {}

    /** Those of a query, each once, with what the pages say for them. */
    static Set<String> ofQuery(String query) {
        Set<String> terms = new LinkedHashSet<>();
        for (String term : of(query)) {
            terms.add(term);
            ALIASES.getOrDefault(term, List.of()).forEach(alias -> terms.add(stem(alias)));
        }
        return terms;
    }

    /** In their order, with repetitions. A name in snake case counts as a whole and by its parts. */
    static List<String> of(String text) {
        List<String> terms = new ArrayList<>();
        Matcher words = WORD.matcher(text.toLowerCase(Locale.ROOT));
        while (words.find()) {
            String word = words.group();
            if (word.contains("_")) {
                terms.add(word);
                for (String part : word.split("_")) {
                    add(terms, part);
                }
            } else {
                add(terms, word);
            }
        }
        return terms;
    }

    private static void add(List<String> terms, String word) {
        if (!STOP_WORDS.contains(word)) {
            terms.add(stem(word));
        }
    }

    /** One term for the forms of an English word: policy and policies, upload, uploads, uploaded and uploading. */
    private static String stem(String word) {
        String stem = word.endsWith("ies") ? without(word, "ies") + "y" : without(word, "s");
        stem = without(without(stem, "ing"), "ed");
        return without(stem, "e");
    }

    private static String without(String word, String end) {
        return word.endsWith(end) && word.length() - end.length() >= SHORTEST_STEMMED - 1 && !word.endsWith("ss")
                ? word.substring(0, word.length() - end.length())
                : word;
    }
}

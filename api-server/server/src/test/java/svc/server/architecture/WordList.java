package svc.server.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.server.architecture.Syntax.Region;

/** Words that a text of the repository does not use, with what it says instead. */
final class WordList {
    private static final Pattern WORD = Pattern.compile("[A-Za-z]+(?:['’][a-z]+)?");
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");

    /** Parts of a name: words in capitals, and words that begin with a capital or not. */
    private static final Pattern PART = Pattern.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+");

    private static final String ACTOR = "name the actor: no caller, another user, each process that";

    /** Words and pairs or triples of words, in lower case. */
    private static final Map<String, String> PROSE = Map.ofEntries(
            Map.entry("nobody", ACTOR),
            Map.entry("somebody", ACTOR),
            Map.entry("anybody", ACTOR),
            Map.entry("everybody", ACTOR),
            Map.entry("whoever", ACTOR),
            Map.entry("dear", "costly"),
            Map.entry("the one who", "the caller that, the user that"),
            Map.entry("those who", "callers that, users that"),
            Map.entry("told", "receives, reads, is notified, is reported"),
            Map.entry("looked at", "checked, read, processed"),
            Map.entry("looks at", "checks, reads, processes"),
            Map.entry("looking at", "checking, reading, processing"),
            Map.entry("anew", "again, from nothing"),
            Map.entry("hence", "so, therefore"),
            Map.entry("lest", "so that … not"),
            Map.entry("wish", "want, request"),
            Map.entry("wishes", "wants, requests"),
            Map.entry("wished", "wanted, requested"));

    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("nobody", ACTOR),
            Map.entry("nobodys", ACTOR),
            Map.entry("somebody", ACTOR),
            Map.entry("somebodys", ACTOR),
            Map.entry("anybody", ACTOR),
            Map.entry("everybody", ACTOR),
            Map.entry("whoever", ACTOR),
            Map.entry("dear", "costly"),
            Map.entry("told", "response, description, reported, notified"),
            Map.entry("anew", "again"));

    /** The first word of a constant. */
    private static final Map<String, String> CONSTANTS = Map.of("most", "MAX_", "longest", "MAX_", "least", "MIN_");

    /**
     * A use of a word of the list.
     *
     * @param position in the text
     * @param word in lower case
     */
    record Find(int position, String word, String instead) {}

    private WordList() {}

    static List<Find> finds(Syntax syntax, String text) {
        List<Find> finds = new ArrayList<>();
        for (Region region : syntax.regions(text)) {
            switch (region.part()) {
                case PROSE -> findProse(region, finds);
                case CODE -> findNames(region, finds);
            }
        }
        return finds;
    }

    /** Marks of a comment's lines are no letters: a phrase is found over the end of a line. */
    private static void findProse(Region region, List<Find> finds) {
        Matcher word = WORD.matcher(region.text());
        String first = "";
        String second = "";
        while (word.find()) {
            String third = bare(word.group());
            int position = region.begin() + word.start();
            for (String phrase : List.of(third, second + " " + third, first + " " + second + " " + third)) {
                find(PROSE, phrase, position).ifPresent(finds::add);
            }
            first = second;
            second = third;
        }
    }

    /** Without the ending of a possessive. */
    private static String bare(String word) {
        String lower = word.toLowerCase(Locale.ROOT).replace('’', '\'');
        return lower.endsWith("'s") ? lower.substring(0, lower.length() - 2) : lower;
    }

    private static void findNames(Region region, List<Find> finds) {
        Matcher name = IDENTIFIER.matcher(region.text());
        while (name.find()) {
            int position = region.begin() + name.start();
            boolean beginsConstant = isConstant(name.group());
            Matcher part = PART.matcher(name.group());
            while (part.find()) {
                String word = part.group().toLowerCase(Locale.ROOT);
                find(NAMES, word, position).ifPresent(finds::add);
                if (beginsConstant) {
                    find(CONSTANTS, word, position).ifPresent(finds::add);
                }
                beginsConstant = false;
            }
        }
    }

    private static boolean isConstant(String name) {
        return name.equals(name.toUpperCase(Locale.ROOT));
    }

    private static Optional<Find> find(Map<String, String> list, String word, int position) {
        return Optional.ofNullable(list.get(word)).map(instead -> new Find(position, word, instead));
    }
}

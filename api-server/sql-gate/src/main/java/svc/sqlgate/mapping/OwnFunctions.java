package svc.sqlgate.mapping;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Functions in a project's main schema that are called like one of an extension. Behind {@code public} such a name means the
 * project's own function, and the extension's where the project has none.
 */
public record OwnFunctions(Set<String> names) {
    /** A project that has none. */
    public static final OwnFunctions NONE = new OwnFunctions(Set.of());

    public OwnFunctions {
        names = Set.copyOf(names);
    }

    boolean contains(String name) {
        return names.contains(name);
    }

    /** The same with others. */
    public OwnFunctions and(Set<String> others) {
        Set<String> all = new HashSet<>(names);
        all.addAll(others);
        return new OwnFunctions(all);
    }

    /**
     * What a text says about such names, found word by word and wherever it stands, in bodies and strings too: a guess of what is worth
     * asking the database about.
     *
     * @param called behind {@code public}
     * @param made by CREATE FUNCTION or PROCEDURE, so that they are the project's own when the text runs
     */
    public record Mentions(Set<String> called, Set<String> made) {
        /** Linear in the text. */
        public static Mentions of(String sql) {
            var words = new Words(sql);
            while (words.next()) {
                words.judge();
            }
            return new Mentions(words.called, words.made);
        }
    }

    /** The words of a text with the three before each. */
    private static final class Words {
        private final String text;
        private final Set<String> called = new HashSet<>();
        private final Set<String> made = new HashSet<>();
        private final String[] before = {"", "", "", ""};
        private boolean qualified;
        private int at;

        Words(String text) {
            this.text = text;
        }

        boolean next() {
            boolean dot = false;
            while (at < text.length() && !isPart(text.charAt(at))) {
                dot |= text.charAt(at) == '.';
                at++;
            }
            int start = at;
            while (at < text.length() && isPart(text.charAt(at))) {
                at++;
            }
            System.arraycopy(before, 1, before, 0, before.length - 1);
            before[before.length - 1] = text.substring(start, at).toLowerCase(Locale.ROOT);
            qualified = dot;
            return at > start;
        }

        void judge() {
            String word = before[3];
            if (!ExtensionMembers.isFunction(word)) {
                return;
            }
            boolean ofPublic = qualified && before[2].equals("public");
            if (ofPublic) {
                called.add(word);
            }
            if (ofPublic ? makes(before[1], before[0]) : !qualified && makes(before[2], before[1])) {
                made.add(word);
            }
        }

        private static boolean makes(String kind, String verb) {
            return (kind.equals("function") || kind.equals("procedure"))
                    && (verb.equals("create") || verb.equals("replace"));
        }

        private static boolean isPart(char c) {
            return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
        }
    }
}

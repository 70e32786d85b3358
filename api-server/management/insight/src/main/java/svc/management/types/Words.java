package svc.management.types;

import com.google.re2j.Pattern;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Names of a database as identifiers of ASCII letters, digits and underscores. Different names may give one identifier. Pure. */
final class Words {
    private static final Pattern SEPARATOR = Pattern.compile("[^A-Za-z0-9]+");

    private Words() {}

    /** {@code todo_items}: {@code TodoItems}. */
    static String pascal(String name) {
        return start(of(name).stream().map(Words::capital).collect(Collectors.joining()), "X");
    }

    /** {@code Todo-items}: {@code todoItems}. */
    static String camel(String name) {
        List<String> words = of(name);
        String first = words.getFirst().toLowerCase(Locale.ROOT);
        return start(
                words.stream()
                        .skip(1)
                        .map(word -> capital(word.toLowerCase(Locale.ROOT)))
                        .collect(Collectors.joining("", first, "")),
                "x");
    }

    /** {@code Todo-items}: {@code todo_items}. */
    static String snake(String name) {
        return start(String.join("_", of(name)).toLowerCase(Locale.ROOT), "x");
    }

    /** The runs of ASCII letters and digits; the code points of a name that has none. */
    private static List<String> of(String name) {
        List<String> words = Arrays.stream(SEPARATOR.split(name))
                .filter(word -> !word.isEmpty())
                .toList();
        return words.isEmpty()
                ? List.of(name.codePoints()
                        .mapToObj(point -> "u" + Integer.toHexString(point))
                        .collect(Collectors.joining()))
                : words;
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    private static String start(String identifier, String instead) {
        return Character.isDigit(identifier.charAt(0)) ? instead + identifier : identifier;
    }
}

package svc.database.shared;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What CREATE EXTENSION answers for each name of {@code extension-answers.txt}, {@code extensions.txt} and {@code
 * optional-extensions.txt}.
 */
public final class ExtensionAnswers {
    private static final String REFUSED = "refused: ";

    private static final Map<String, Answer> ANSWERS = read();

    private ExtensionAnswers() {}

    /** The answer for one extension. */
    public sealed interface Answer {
        /** Every project has it, because the database has. */
        record Installed() implements Answer {}

        /** An administrator decides whether the database has it. */
        record Administrators() implements Answer {}

        /** A project has it by itself, in schemas of the platform. */
        record OfProject() implements Answer {}

        /** What it is for is there without it, or no migration needs it. */
        record Nothing() implements Answer {}

        /** @param hint the next step; empty where none is known */
        record Refused(String hint) implements Answer {}
    }

    /** Of any name; one without an answer of its own is refused without a hint of its own. */
    public static Answer of(String extension) {
        return ANSWERS.getOrDefault(extension, new Answer.Refused(""));
    }

    /** Every name that has an answer of its own, in alphabetical order. */
    public static Map<String, Answer> all() {
        return ANSWERS;
    }

    private static Map<String, Answer> read() {
        Map<String, Answer> answers = new TreeMap<>();
        for (String line : SharedResources.lines("extension-answers.txt")) {
            int equals = line.indexOf(" = ");
            answers.put(line.substring(0, equals), answer(line.substring(equals + " = ".length())));
        }
        AllowedExtensions.names().forEach(name -> answers.put(name, new Answer.Installed()));
        AllowedExtensions.optional().forEach(name -> answers.put(name, new Answer.Administrators()));
        return Collections.unmodifiableMap(answers);
    }

    private static Answer answer(String text) {
        return switch (text) {
            case "project" -> new Answer.OfProject();
            case "nothing" -> new Answer.Nothing();
            case String refused
            when refused.startsWith(REFUSED) -> new Answer.Refused(refused.substring(REFUSED.length()));
            default -> throw new IllegalStateException("No such answer for an extension: " + text);
        };
    }
}

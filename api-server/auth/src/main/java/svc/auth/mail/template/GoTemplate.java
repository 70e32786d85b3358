package svc.auth.mail.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;

/**
 * A mail with variables in Go's template language, which mails that were written for Supabase use: {@code {{ .Name }}},
 * {@code {{ .Data.name }}}, {@code if}, {@code else if}, {@code else} and {@code end} with {@code eq}, {@code ne},
 * {@code not}, {@code and}, {@code or} and {@code index}, comments, and braces with a hyphen that trim blanks. Loops and
 * definitions are refused: mails need none, and without them rendering takes linear time.
 *
 * <p>Hazard: users control many variables. A value is cut at {@value #MAX_VALUE_CHARACTERS} characters, and escaped by
 * {@link HtmlPlace}.
 */
public final class GoTemplate {
    private static final Pattern LINE_ENDS = Pattern.compile("[\\x00-\\x1f\\x7f\\x{2028}\\x{2029}]+");

    static final int MAX_VALUE_CHARACTERS = 4096;
    private static final int MAX_RESULT_CHARACTERS = 1 << 20;
    private static final int MAX_DEPTH = 32;
    private static final Pattern ACTION = Pattern.compile("\\{\\{(-\\s)?(.*?)(\\s-)?}}", Pattern.DOTALL);

    private final List<Part> parts;

    private GoTemplate(List<Part> parts) {
        this.parts = parts;
    }

    private sealed interface Part {
        record Text(String text) implements Part {}

        record Value(Expression expression) implements Part {}

        /** @param branches the first one whose condition is true is rendered */
        record Choice(List<Branch> branches) implements Part {}
    }

    private record Branch(Expression condition, List<Part> parts) {}

    /** The form of the result. */
    public enum Form {
        /** One line without escapes, for a header. */
        LINE,
        HTML
    }

    /** @throws TemplateException for a malformed template */
    public static GoTemplate of(String text) {
        var reading = new Reading(text);
        List<Part> parts = reading.parts(0);
        if (!reading.ending.isEmpty()) {
            throw new TemplateException("{{ " + reading.ending + " }} has no {{ if }} before it");
        }
        return new GoTemplate(parts);
    }

    /** @param variables by their names without the dot */
    public String with(JsonNode variables, Form form) {
        var result = new StringBuilder();
        write(parts, variables, form, result);
        return form == Form.LINE ? LINE_ENDS.matcher(result).replaceAll(" ").strip() : result.toString();
    }

    private static void write(List<Part> parts, JsonNode variables, Form form, StringBuilder result) {
        for (Part part : parts) {
            switch (part) {
                case Part.Text text -> result.append(text.text());
                case Part.Value value -> {
                    String text = Expression.text(value.expression().value(variables));
                    String cut = text.length() > MAX_VALUE_CHARACTERS ? text.substring(0, MAX_VALUE_CHARACTERS) : text;
                    result.append(
                            form == Form.LINE ? cut : HtmlPlace.after(result).escaped(cut));
                }
                case Part.Choice choice ->
                    choice.branches().stream()
                            .filter(branch ->
                                    Expression.isTrue(branch.condition().value(variables)))
                            .findFirst()
                            .ifPresent(branch -> write(branch.parts(), variables, form, result));
            }
            if (result.length() > MAX_RESULT_CHARACTERS) {
                throw new TemplateException("the mail is longer than " + MAX_RESULT_CHARACTERS + " characters");
            }
        }
    }

    private static final class Reading {
        private final String text;
        private final Matcher action;
        private int at;
        private boolean trimsNext;

        /** The action that ended the last parts: {@code end}, {@code else …}, or empty at the end of the text. */
        private String ending = "";

        Reading(String text) {
            this.text = text;
            this.action = ACTION.matcher(text);
        }

        List<Part> parts(int depth) {
            if (depth > MAX_DEPTH) {
                throw new TemplateException("conditions are nested too deeply");
            }
            List<Part> parts = new ArrayList<>();
            while (action.find(at)) {
                literal(text.substring(at, action.start()), action.group(1) != null, parts);
                at = action.end();
                trimsNext = action.group(3) != null;
                String words = action.group(2).strip();
                if (words.startsWith("/*")) {
                    continue;
                }
                if (words.equals("end") || words.equals("else") || words.startsWith("else ")) {
                    ending = words;
                    return parts;
                }
                parts.add(
                        words.startsWith("if ")
                                ? choice(words.substring(3), depth)
                                : new Part.Value(Expression.read(words)));
            }
            literal(text.substring(at), false, parts);
            at = text.length();
            ending = "";
            return parts;
        }

        private Part choice(String condition, int depth) {
            List<Branch> branches = new ArrayList<>();
            Expression wanted = Expression.read(condition);
            while (true) {
                branches.add(new Branch(wanted, parts(depth + 1)));
                if (ending.equals("end")) {
                    ending = "";
                    return new Part.Choice(branches);
                }
                if (ending.isEmpty()) {
                    throw new TemplateException("{{ if }} has no {{ end }}");
                }
                String rest = ending.substring("else".length()).strip();
                if (!rest.isEmpty() && !rest.startsWith("if ")) {
                    throw new TemplateException("{{ " + ending + " }} cannot be read");
                }
                wanted = rest.isEmpty() ? Expression.read("true") : Expression.read(rest.substring(3));
            }
        }

        private void literal(String piece, boolean trimsEnd, List<Part> parts) {
            String kept = trimsNext ? piece.stripLeading() : piece;
            trimsNext = false;
            kept = trimsEnd ? kept.stripTrailing() : kept;
            if (!kept.isEmpty()) {
                parts.add(new Part.Text(kept));
            }
        }
    }
}

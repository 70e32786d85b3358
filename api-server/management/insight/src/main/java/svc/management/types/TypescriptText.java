package svc.management.types;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** TypeScript text in the customary layout: two spaces, no semicolons, lines of at most 80 characters. */
final class TypescriptText {
    private static final int WIDTH = 80;
    private static final Pattern BARE = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");
    private static final char FIRST_PRINTABLE = ' ';

    /** The order of properties, whether they are quoted or not. */
    static final Comparator<String> BY_NAME =
            Comparator.comparing(name -> name.startsWith("\"") ? name.substring(1) : name);

    private final StringBuilder text = new StringBuilder();
    private int depth;

    TypescriptText line(String line) {
        text.append("  ".repeat(depth)).append(line).append('\n');
        return this;
    }

    TypescriptText open(String line) {
        line(line);
        depth++;
        return this;
    }

    TypescriptText close(String line) {
        depth--;
        return line(line);
    }

    /** A member whose type is written beside its name or, if that is too long, below it. */
    TypescriptText member(String name, String type) {
        String line = name + ": " + type;
        if (fits(line)) {
            return line(line);
        }
        List<String> parts = unionOf(type);
        if (parts.size() == 1) {
            return line(line);
        }
        open(name + ":");
        parts.forEach(part -> line("| " + part));
        return undent();
    }

    /** A list of constants, in one line or in one for each. */
    TypescriptText constants(String name, List<String> values) {
        String line = name + ": [" + String.join(", ", values) + "],";
        if (fits(line)) {
            return line(line);
        }
        open(name + ": [");
        values.forEach(value -> line(value + ","));
        return close("],");
    }

    /** Ends an indentation that no bracket closes. */
    TypescriptText undent() {
        depth--;
        return this;
    }

    /** A member whose type is an object or an array of objects: in one line if it fits, else one line for each member. */
    TypescriptText object(String head, String type) {
        if (fits(head + type) || !type.startsWith("{ ")) {
            return line(head + type);
        }
        int end = type.lastIndexOf(" }");
        open(head + "{");
        parts(type.substring(2, end), ';').forEach(this::line);
        return close("}" + type.substring(end + 2));
    }

    /** An object type in one line. */
    static String inline(Map<String, String> members) {
        StringBuilder line = new StringBuilder("{ ");
        members.forEach((name, type) -> line.append(line.length() > 2 ? "; " : "")
                .append(name)
                .append(": ")
                .append(type));
        return line.append(" }").toString();
    }

    boolean fits(String line) {
        return depth * 2 + line.length() <= WIDTH;
    }

    TypescriptText append(String lines) {
        text.append(lines);
        return this;
    }

    private static List<String> unionOf(String type) {
        return parts(type, '|');
    }

    /** The parts at the top level: quotes and brackets enclose other separators. */
    private static List<String> parts(String type, char separator) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        int nesting = 0;
        boolean quoted = false;
        for (int at = 0; at < type.length(); at++) {
            char c = type.charAt(at);
            if (quoted) {
                at += c == '\\' ? 1 : 0;
                quoted = c != '"';
            } else if (c == '"') {
                quoted = true;
            } else if ("([{<".indexOf(c) >= 0) {
                nesting++;
            } else if (")]}>".indexOf(c) >= 0) {
                nesting--;
            } else if (c == separator && nesting == 0) {
                parts.add(type.substring(from, at).strip());
                from = at + 1;
            }
        }
        parts.add(type.substring(from).strip());
        return parts;
    }

    /** A property's name, quoted if it is no identifier. */
    static String name(String name) {
        return BARE.matcher(name).matches() ? name : quoted(name);
    }

    /** A string constant; what could end the line or hide in it is escaped. */
    static String quoted(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        value.chars().forEach(c -> {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (c < FIRST_PRINTABLE || c == '\u2028' || c == '\u2029' || c == '\u007f') {
                        quoted.append(String.format("\\u%04x", c));
                    } else {
                        quoted.append((char) c);
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }

    static List<String> quoted(List<String> values) {
        return values.stream().map(TypescriptText::quoted).toList();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}

package svc.server.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.server.architecture.Span.Place;

/** The parts of a kind of source file: prose, code, and what is neither. Each text is read once. */
enum Syntax {
    JAVA(
            Optional.of(Part.CODE),
            Span.comment("//", "\n"),
            Span.comment("/*", "*/"),
            Span.textBlock("\"\"\""),
            Span.string("\""),
            Span.string("'")),
    TYPESCRIPT(
            Optional.of(Part.CODE),
            Span.comment("//", "\n"),
            Span.comment("/*", "*/"),
            Span.string("/").at(Place.AFTER_OPERATOR),
            Span.textBlock("`"),
            Span.string("\""),
            Span.string("'")),
    GO(
            Optional.of(Part.CODE),
            Span.comment("//", "\n"),
            Span.comment("/*", "*/"),
            Span.quotation("`", "`"),
            Span.string("\""),
            Span.string("'")),
    /** Bodies of functions have comments as well. {@code -- expect:} begins a check of the SQL gate's corpus. */
    SQL(
            Optional.empty(),
            Span.quotation("-- expect:", "\n"),
            Span.comment("--", "\n"),
            Span.comment("/*", "*/"),
            Span.quotation("'", "'"),
            Span.quotation("\"", "\"")),
    /** YAML, shell, Python, properties, and templates of Helm. */
    HASH(
            Optional.empty(),
            Span.comment("#", "\n").at(Place.AFTER_SPACE),
            Span.comment("{{/*", "*/}}"),
            Span.comment("{{- /*", "*/")),
    LUA(Optional.empty(), Span.comment("--", "\n")),
    XML(Optional.empty(), Span.comment("<!--", "-->")),
    /** The text of a comment, too. */
    MARKDOWN(
            Optional.of(Part.PROSE),
            Span.quotation("```", "```"),
            Span.code("``", "``"),
            Span.code("`", "`"),
            Span.code("{@", "}"));

    enum Part {
        PROSE,
        CODE
    }

    /** @param begin where it begins in the whole text */
    record Region(Part part, int begin, String text) {}

    /** What is in no span; empty when that is not read. */
    private final Optional<Part> outside;

    /** In the order in which they are tried. */
    private final List<Span> spans;

    Syntax(Optional<Part> outside, Span... spans) {
        this.outside = outside;
        this.spans = List.of(spans);
    }

    /** Empty for files without comments, such as JSON, and for texts of others, such as licences. */
    static Optional<Syntax> of(String name, String text) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "java" -> Optional.of(JAVA);
            case "ts", "cts", "mjs", "cjs", "js" -> Optional.of(TYPESCRIPT);
            case "go" -> Optional.of(GO);
            case "sql" -> Optional.of(SQL);
            case "yaml", "yml", "tpl", "properties", "py", "sh", "toml", "Dockerfile", "example" -> Optional.of(HASH);
            case "lua" -> Optional.of(LUA);
            case "xml", "html" -> Optional.of(XML);
            case "md" -> Optional.of(MARKDOWN);
            case "txt" -> name.equals("llms.txt") ? Optional.of(MARKDOWN) : Optional.empty();
            default -> text.startsWith("#!") ? Optional.of(HASH) : Optional.empty();
        };
    }

    /** In the order of the text. */
    List<Region> regions(String text) {
        List<Region> regions = new ArrayList<>();
        int begin = 0;
        int position = 0;
        while (position < text.length()) {
            Optional<Span> span = spanAt(text, position);
            int end = span.isEmpty() ? position : endOf(span.get(), text, position);
            if (end == position) {
                position++;
                continue;
            }
            add(regions, text, begin, position);
            if (span.get().kind() == Span.Kind.COMMENT) {
                addComment(regions, text, position, end);
            }
            begin = end;
            position = end;
        }
        add(regions, text, begin, text.length());
        return regions;
    }

    private Optional<Span> spanAt(String text, int position) {
        return spans.stream().filter(span -> span.beginsAt(text, position)).findFirst();
    }

    /** Comments of one line each that follow each other are one comment: a phrase may go over their lines. */
    private int endOf(Span span, String text, int position) {
        int end = span.endOf(text, position);
        while (span.kind() == Span.Kind.COMMENT && span.end().equals("\n")) {
            int next = end;
            while (next < text.length() && text.charAt(next) == ' ') {
                next++;
            }
            if (next == text.length() || !spanAt(text, next).equals(Optional.of(span))) {
                break;
            }
            end = span.endOf(text, next);
        }
        return end;
    }

    private void add(List<Region> regions, String text, int begin, int end) {
        if (begin < end) {
            outside.ifPresent(part -> regions.add(new Region(part, begin, text.substring(begin, end))));
        }
    }

    /** Code spans in a comment are not prose. */
    private static void addComment(List<Region> regions, String text, int begin, int end) {
        for (Region region : MARKDOWN.regions(text.substring(begin, end))) {
            regions.add(new Region(region.part(), begin + region.begin(), region.text()));
        }
    }
}

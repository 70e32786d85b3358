package svc.management.docs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.management.json.StrictJson;
import svc.management.tool.Feature;
import svc.management.tool.Parameter;
import svc.management.tool.Parameter.Kind;
import svc.management.tool.Tool;
import svc.management.tool.Tool.Effect;
import svc.management.tool.ToolCall;
import svc.management.tool.ToolGroup;
import svc.management.tool.ToolResult;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * The tool that searches the documentation. Supabase's takes a GraphQL query over a content API, of which agents use
 * {@code searchDocs(query, limit)}: such a query is answered in its shape.
 */
@ApplicationScoped
class DocTools implements ToolGroup {
    /** Of the answer, in UTF-8: a model reads it. */
    static final int MAX_BYTES = 12 << 10;

    private static final int MAX_QUERY = 300;
    private static final int MAX_GRAPHQL = 2_000;
    private static final int USUAL_LIMIT = 5;
    private static final int MAX_LIMIT = 10;

    /** What JSON and the titles of one result take beside its text. */
    private static final int AROUND_EXCERPT = 400;

    private static final Pattern SEARCH_DOCS = Pattern.compile("\\bsearchDocs\\s*\\(([^)]*)");
    private static final Pattern QUERY = Pattern.compile("\\bquery\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");
    private static final Pattern LIMIT = Pattern.compile("\\blimit\\s*:\\s*([0-9]{1,4})");

    private final Docs docs;

    DocTools(Docs docs) {
        this.docs = docs;
    }

    @Override
    public List<Tool> tools() {
        return List.of(new Tool(
                "search_docs",
                Feature.DOCS,
                "Search docs",
                "Searches the documentation of this platform, which differs from Supabase's in places: what the services do,"
                        + " the limits, settings, errors and the command line. Returns the sections that match best.",
                Effect.READS,
                false,
                List.of(
                        Parameter.optional(
                                "query", Kind.TEXT, "Words that the section has, " + MAX_QUERY + " characters at most"),
                        Parameter.optional(
                                "limit",
                                Kind.NUMBER,
                                "Sections, 1 to " + MAX_LIMIT + "; " + USUAL_LIMIT + " if omitted. Fewer are longer"),
                        Parameter.optional(
                                "graphql_query",
                                Kind.TEXT,
                                "Instead of query, as Supabase's tool takes it: { searchDocs(query: \"…\", limit: 5) {"
                                        + " nodes { title href content } } }")),
                this::search));
    }

    /** A section that matches. */
    record Hit(String title, String path, String url, String excerpt) {}

    /** @param hint what to do where nothing matches */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Hits(List<Hit> results, String hint) {}

    /** A section in the shape of Supabase's content API. */
    record Node(String title, String href, String content) {}

    private record Question(String query, int limit) {}

    private ToolResult search(ToolCall call) {
        Optional<String> graphql = call.optionalText("graphql_query");
        Optional<String> plain = call.optionalText("query");
        if (plain.isPresent() == graphql.isPresent()) {
            throw refused("The tool takes either query or graphql_query.");
        }
        Question question = graphql.map(DocTools::ofGraphql)
                .orElseGet(() -> new Question(plain.orElseThrow(), call.number("limit", USUAL_LIMIT)));
        if (question.query().length() > MAX_QUERY) {
            throw refused("The query is longer than " + MAX_QUERY + " characters.");
        }
        List<Hit> hits = hits(question.query(), Math.max(1, Math.min(MAX_LIMIT, question.limit())));
        if (graphql.isPresent()) {
            List<Node> nodes = hits.stream()
                    .map(hit -> new Node(hit.title(), hit.url(), hit.excerpt()))
                    .toList();
            return ToolResult.json(Map.of("searchDocs", Map.of("nodes", nodes)));
        }
        return ToolResult.json(new Hits(
                hits, hits.isEmpty() ? "No section has these words. The pages are " + docs.names() + "." : null));
    }

    private static Question ofGraphql(String text) {
        Matcher search = SEARCH_DOCS.matcher(text);
        if (text.length() <= MAX_GRAPHQL && search.find()) {
            // The arguments up to the end: a query may contain a bracket.
            String arguments = text.substring(search.start(1));
            Matcher query = QUERY.matcher(arguments);
            if (query.find()) {
                Matcher limit = LIMIT.matcher(arguments);
                String words = ESCAPE.matcher(query.group(1)).replaceAll("$1");
                return new Question(words, limit.find() ? Integer.parseInt(limit.group(1)) : USUAL_LIMIT);
            }
        }
        throw refused("Of GraphQL the tool reads { searchDocs(query: \"…\", limit: 5) }, with the words in the text.");
    }

    private static ProblemException refused(String rule) {
        return Problem.of(ProblemCode.INVALID_PARAMETER, rule)
                .withHint("Send the words to look for as query.")
                .asException();
    }

    private List<Hit> hits(String query, int limit) {
        List<DocSection> found = docs.search(query, limit);
        int share = MAX_BYTES / Math.max(1, found.size()) - AROUND_EXCERPT;
        return found.stream().map(section -> hit(section, query, share)).toList();
    }

    private Hit hit(DocSection section, String query, int share) {
        int length = share;
        String excerpt = SectionIndex.excerpt(section, query, length);
        while (bytes(excerpt) > share) {
            length = length * 9 / 10;
            excerpt = SectionIndex.excerpt(section, query, length);
        }
        return new Hit(section.fullTitle(), section.path(), docs.url(section.path()), excerpt);
    }

    private static int bytes(String text) {
        return StrictJson.get().valueToTree(text).toString().getBytes(StandardCharsets.UTF_8).length;
    }
}

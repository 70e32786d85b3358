package svc.management.docs;

import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import svc.platform.config.ApiConfig;

/**
 * The pages of {@code docs/}, which the build packs into this module. Their index is {@code llms.txt}
 * (<a href="https://llmstxt.org">llmstxt.org</a>): a page that it does not link is not served.
 */
@ApplicationScoped
public class Docs {
    private static final String FOLDER = "/svc/docs/";
    private static final String INDEX = "llms.txt";
    /** Of the pages below each heading of the index, in their order: building an application, running the platform, the rest. */
    private static final double[] WEIGHTS = {1, 0.7, 0.4};

    private static final String HEADING = "\n## ";
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]+)\\]\\(([a-z0-9-]+\\.md)\\)");

    private final String baseUrl;
    private final String index;
    private final Map<String, DocPage> pages;
    private final SectionIndex sections;

    Docs(ApiConfig config) {
        this.baseUrl = config.hosts().baseUrl();
        String packed = read(INDEX);
        this.index = LINK.matcher(packed).replaceAll(link -> "[" + link.group(1) + "](" + url(link.group(2)) + ")");
        this.pages = pages(packed, Docs::read);
        this.sections = new SectionIndex(pages.values().stream()
                .flatMap(page -> page.sections().stream())
                .toList());
    }

    /**
     * The pages that an index links, by name.
     *
     * @param read the text of a page by its name
     */
    static Map<String, DocPage> pages(String index, UnaryOperator<String> read) {
        Map<String, DocPage> pages = new LinkedHashMap<>();
        // What stands before the first heading links no page.
        int part = 0;
        for (int at = index.indexOf(HEADING); at >= 0; part++) {
            int end = index.indexOf(HEADING, at + 1);
            double weight = WEIGHTS[Math.min(part, WEIGHTS.length - 1)];
            LINK.matcher(end < 0 ? index.substring(at) : index.substring(at, end))
                    .results()
                    .forEach(link -> pages.put(
                            link.group(2),
                            new DocPage(link.group(2), link.group(1), read.apply(link.group(2)), weight)));
            at = end;
        }
        return pages;
    }

    private static String read(String name) {
        try (InputStream resource = Docs.class.getResourceAsStream(FOLDER + name)) {
            if (resource == null) {
                throw new IllegalStateException("the build did not pack docs/" + name);
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("while reading docs/" + name, e);
        }
    }

    /** The index with absolute addresses of the pages. */
    String index() {
        return index;
    }

    Optional<DocPage> page(String name) {
        return Optional.ofNullable(pages.get(name));
    }

    List<String> names() {
        return List.copyOf(pages.keySet());
    }

    /** The public address of a page, or of a section of it. */
    String url(String path) {
        return baseUrl + "/docs/" + path;
    }

    /** The sections that match a query, the best first. */
    List<DocSection> search(String query, int limit) {
        return sections.search(query, limit);
    }
}

package svc.management.docs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of the documentation.
 *
 * @param name with {@code .md}
 * @param title by which the index links it
 * @param weight of its matches in a search, above 0 and at most 1
 */
record DocPage(String name, String title, String markdown, double weight) {
    /** The tables of tests behind a page's promises: for developers of the platform. */
    private static final String PROMISES = "Promises";

    private static final double OF_PROMISES = 0.3;

    private static final Pattern HEADING = Pattern.compile("#{1,6}\\s+(.+?)\\s*#*");
    private static final String FENCE = "```";

    /** Its sections in their order; those without text are left out. */
    List<DocSection> sections() {
        List<DocSection> sections = new ArrayList<>();
        Map<String, Integer> anchors = new HashMap<>();
        String heading = title;
        String anchor = "";
        boolean inCode = false;
        boolean begun = false;
        StringBuilder text = new StringBuilder();
        for (String line : markdown.split("\r?\n")) {
            inCode ^= line.stripLeading().startsWith(FENCE);
            Matcher next = HEADING.matcher(line);
            if (inCode || !next.matches()) {
                text.append(line).append('\n');
                continue;
            }
            add(sections, heading, anchor, text);
            heading = begun ? next.group(1) : title;
            anchor = begun ? anchor(heading, anchors) : "";
            begun = true;
        }
        add(sections, heading, anchor, text);
        return sections;
    }

    private void add(List<DocSection> sections, String heading, String anchor, StringBuilder text) {
        String stripped = text.toString().strip();
        text.setLength(0);
        if (!stripped.isEmpty()) {
            double own = heading.equals(PROMISES) ? weight * OF_PROMISES : weight;
            sections.add(new DocSection(name, title, heading, anchor, stripped, own));
        }
    }

    /** As viewers of Markdown make it: lower case, without punctuation, numbered where it is not the first of its name. */
    private static String anchor(String title, Map<String, Integer> anchors) {
        String plain = title.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
        int earlier = anchors.merge(plain, 1, Integer::sum) - 1;
        return earlier == 0 ? plain : plain + "-" + earlier;
    }
}

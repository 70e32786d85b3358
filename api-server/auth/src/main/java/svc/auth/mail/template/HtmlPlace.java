package svc.auth.mail.template;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The context of a value in HTML, which decides on its escaping, as in Go's html/template. */
enum HtmlPlace {
    TEXT {
        @Override
        String escaped(String value) {
            return html(value);
        }
    },
    /** A whole address, or its beginning: one with a script scheme is replaced. */
    ADDRESS {
        @Override
        String escaped(String value) {
            return SCRIPTS.matcher(value).find() ? "#" : html(value);
        }
    },
    /** In the query of an address. */
    QUERY {
        @Override
        String escaped(String value) {
            return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
        }
    };

    private static final Pattern SCRIPTS =
            Pattern.compile("(?i)^[\\s\\x00-\\x1f\\x7f]*(javascript|vbscript|data)[\\s\\x00-\\x1f\\x7f]*:");
    private static final int MAX_TAG_CHARACTERS = 4096;
    private static final Pattern IN_ADDRESS =
            Pattern.compile("(?i)\\b(?:href|src|action|formaction)\\s*=\\s*(?:\"([^\"]*)|'([^']*)|([^\\s\"'>]*))$");

    abstract String escaped(String value);

    static HtmlPlace after(StringBuilder before) {
        // No more than that: a template without tags may have thousands of values.
        String last = before.substring(Math.max(0, before.length() - MAX_TAG_CHARACTERS));
        int tag = last.lastIndexOf('<');
        if (tag < 0 || last.lastIndexOf('>') > tag) {
            return TEXT;
        }
        Matcher address = IN_ADDRESS.matcher(last.substring(tag));
        if (!address.find()) {
            return TEXT;
        }
        String begun = "";
        for (int group = 1; group <= 3; group++) {
            begun = address.group(group) == null ? begun : address.group(group);
        }
        if (begun.isBlank()) {
            return ADDRESS;
        }
        return begun.indexOf('?') >= 0 || begun.indexOf('#') >= 0 ? QUERY : TEXT;
    }

    private static String html(String value) {
        var escaped = new StringBuilder(value.length() + 16);
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&#34;");
                case '\'' -> escaped.append("&#39;");
                case '`' -> escaped.append("&#96;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }
}

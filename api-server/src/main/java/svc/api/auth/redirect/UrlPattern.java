package svc.api.auth.redirect;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A pattern of addresses as Supabase's redirect list has it: {@code *} stands for characters other than {@code .} and
 * {@code /}, {@code **} for any, {@code ?} for one other than those, {@code [abc]} and {@code [!a-z]} for one of a set,
 * {@code {a,b}} for one of several, and a backslash for the next character itself. It is matched in linear time, for what is
 * matched comes from anybody.
 *
 * <p>Hazard: in the part that names the host, {@code **} stops at a slash, a question mark and a hash. Otherwise
 * {@code https://**.example.com} would let in {@code https://evil.example/x.example.com}.
 */
final class UrlPattern {
    private static final String SEPARATED = "[^./]";
    private static final String WITHIN_HOST = "[^/?#]*";

    private final Pattern pattern;

    private UrlPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /** One that cannot be read matches nothing. */
    static UrlPattern of(String glob) {
        try {
            return new UrlPattern(Pattern.compile(translated(glob), Pattern.DOTALL));
        } catch (PatternSyntaxException e) {
            return new UrlPattern(Pattern.compile("\\z."));
        }
    }

    boolean matches(String url) {
        return pattern.matches(url);
    }

    private static String translated(String glob) {
        int authority = glob.indexOf("://");
        int hostEnd = authority < 0 ? 0 : glob.indexOf('/', authority + 3);
        int host = hostEnd < 0 ? glob.length() : hostEnd;
        StringBuilder regex = new StringBuilder();
        int braces = 0;
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            switch (c) {
                case '*' -> {
                    boolean any = i + 1 < glob.length() && glob.charAt(i + 1) == '*';
                    if (any) {
                        i++;
                    }
                    regex.append(any ? (i < host ? WITHIN_HOST : ".*") : SEPARATED + "*");
                }
                case '?' -> regex.append(SEPARATED);
                case '[' -> {
                    int end = glob.indexOf(']', i + 2);
                    if (end < 0) {
                        regex.append("\\[");
                    } else {
                        regex.append(set(glob.substring(i + 1, end)));
                        i = end;
                    }
                }
                case '{' -> {
                    braces++;
                    regex.append("(?:");
                }
                case '}' -> regex.append(braces-- > 0 ? ")" : "\\}");
                case ',' -> regex.append(braces > 0 ? "|" : ",");
                case '\\' -> regex.append(Pattern.quote(i + 1 < glob.length() ? glob.substring(++i, i + 1) : "\\"));
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return regex.toString();
    }

    private static String set(String members) {
        boolean others = members.startsWith("!") || members.startsWith("^");
        String of = others ? members.substring(1) : members;
        return (others ? "[^" : "[")
                + of.replace("\\", "\\\\").replace("[", "\\[").replace("^", "\\^") + "]";
    }
}

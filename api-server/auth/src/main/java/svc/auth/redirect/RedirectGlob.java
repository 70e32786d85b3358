package svc.auth.redirect;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One entry of a project's list of allowed redirects. {@code *} stands for anything without a dot or a
 * slash, {@code **} for anything, {@code ?} for one character that is neither, {@code [a-z]} and {@code {a,b}} for one of
 * these, as in Supabase's lists.
 *
 * <p>Hazard: the pattern of the host must not match into path or query, nor the reverse, else
 * {@code https://*.shop.example/**} would match an attacker's host. Matching takes linear time.
 */
final class RedirectGlob {
    private static final int MAX_ALTERNATIVES = 64;
    private static final String AFTER_SCHEME = "://";

    private final List<Parts> alternatives;

    private RedirectGlob(List<Parts> alternatives) {
        this.alternatives = alternatives;
    }

    /**
     * @param host scheme and authority, empty for an address that has none
     * @param rest path and query, or the whole address
     */
    private record Parts(Optional<Pattern> host, Pattern rest) {}

    /** Empty for a malformed entry: it allows nothing. */
    static Optional<RedirectGlob> of(String text) {
        try {
            return Optional.of(new RedirectGlob(
                    expanded(text).stream().map(RedirectGlob::parts).toList()));
        } catch (PatternSyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** @param address without a fragment */
    boolean matches(String address) {
        Split split = Split.of(address, "/?");
        return alternatives.stream()
                .anyMatch(parts -> parts.host().isEmpty()
                        ? parts.rest().matches(address)
                        : split.host().filter(parts.host().get()::matches).isPresent()
                                && parts.rest().matches(split.rest()));
    }

    private record Split(Optional<String> host, String rest) {
        static Split of(String text, String ends) {
            int scheme = text.indexOf(AFTER_SCHEME);
            if (scheme < 0) {
                return new Split(Optional.empty(), text);
            }
            int end = scheme + AFTER_SCHEME.length();
            while (end < text.length() && ends.indexOf(text.charAt(end)) < 0) {
                end++;
            }
            String rest = text.substring(end);
            String host = text.substring(0, end).toLowerCase(Locale.ROOT);
            return new Split(Optional.of(host), rest.startsWith("/") ? rest : "/" + rest);
        }
    }

    private static Parts parts(String glob) {
        Split split = Split.of(glob, "/");
        if (split.host().isEmpty()) {
            return new Parts(Optional.empty(), regex(glob));
        }
        // "https://**" matches every address of https, with its path.
        boolean open = glob.endsWith("**") && split.rest().equals("/");
        return new Parts(Optional.of(regex(split.host().get())), regex(open ? "**" : split.rest()));
    }

    /** Expands the alternatives in braces. */
    private static List<String> expanded(String glob) {
        int open = glob.indexOf('{');
        if (open < 0) {
            return List.of(glob);
        }
        int close = glob.indexOf('}', open);
        if (close < 0 || glob.substring(open + 1, close).contains("{")) {
            throw new IllegalArgumentException("braces that are not closed, or in braces");
        }
        List<String> all = new ArrayList<>();
        for (String one : glob.substring(open + 1, close).split(",", -1)) {
            all.addAll(expanded(glob.substring(0, open) + one + glob.substring(close + 1)));
            if (all.size() > MAX_ALTERNATIVES) {
                throw new IllegalArgumentException("too many alternatives");
            }
        }
        return all;
    }

    private static Pattern regex(String glob) {
        StringBuilder regex = new StringBuilder("(?s)");
        int at = 0;
        while (at < glob.length()) {
            char c = glob.charAt(at);
            if (glob.startsWith("**", at)) {
                regex.append(".*");
                at += 2;
            } else if (c == '*') {
                regex.append("[^./]*");
                at++;
            } else if (c == '?') {
                regex.append("[^./]");
                at++;
            } else if (c == '[') {
                int end = glob.indexOf(']', at + 2);
                if (end < 0) {
                    throw new IllegalArgumentException("a bracket that is not closed");
                }
                String among = glob.substring(at + 1, end).replace("\\", "\\\\").replace("[", "\\[");
                boolean not = among.startsWith("!") || among.startsWith("^");
                regex.append(not ? "[^./" + among.substring(1) : "[" + among).append(']');
                at = end + 1;
            } else {
                boolean escaped = c == '\\' && at + 1 < glob.length();
                regex.append(Pattern.quote(String.valueOf(escaped ? glob.charAt(at + 1) : c)));
                at += escaped ? 2 : 1;
            }
        }
        return Pattern.compile(regex.toString());
    }
}

package svc.management.function;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Normalizes a path besides a function's source: relative to the function's own folder, to the shared one if it begins
 * with {@code _shared/}, or to another folder beside the function's if it begins with {@code ../}. Paths are map keys and
 * never file system paths; the rules keep them readable and distinct. Pure.
 */
final class SourcePath {
    static final String SHARED = "_shared/";

    /** Begins the path of a file in another folder beside the function's own. */
    static final String ABOVE = "../";

    private static final String ROOT = "functions/";
    private static final String SUPABASE_ROOT = "supabase/" + ROOT;

    private static final int MAX_LENGTH = 255;
    /** A segment: no separator of any system, no URL delimiter, no control character. */
    private static final Pattern SEGMENT = Pattern.compile("[^\\\\/:*?\"<>|%#\\p{Cntrl}\\p{Cs}\\p{Co}\\p{Cn}]+");

    private SourcePath() {}

    /** Either the path, or the reason why it is invalid. */
    record Checked(Optional<String> path, String fault) {
        static Checked fault(String text) {
            return new Checked(Optional.empty(), text);
        }
    }

    /**
     * @param written {@code util.ts}, {@code ./util.ts}, {@code _shared/x.ts}, {@code ../_shared/x.ts}, {@code
     *     ../lib/x.ts}, or one of them as the path in a repository: {@code functions/<name>/util.ts}, {@code
     *     supabase/functions/_shared/x.ts}
     */
    static Checked clean(String written, String function) {
        String path = withoutRoot(written, function);
        if (path.length() > MAX_LENGTH || path.isEmpty()) {
            return Checked.fault("must have 1 to " + MAX_LENGTH + " characters");
        }
        if (path.startsWith("/")) {
            return Checked.fault("must not be absolute");
        }
        String below = path.startsWith(ABOVE) ? path.substring(ABOVE.length()) : path;
        for (String segment : below.split("/", -1)) {
            if (segment.equals("..") || segment.equals(".")) {
                return Checked.fault("must not contain . or .., except for one ../ at the beginning");
            }
            if (!SEGMENT.matcher(segment).matches() || !segment.strip().equals(segment)) {
                return Checked.fault("must consist of names separated by /; names contain no control character,"
                        + " no leading or trailing space, and none of \\ : * ? \" < > | % #");
            }
        }
        if (!Normalizer.isNormalized(path, Normalizer.Form.NFC)) {
            return Checked.fault("must be in Unicode normalization form C");
        }
        return new Checked(Optional.of(path), "");
    }

    private static String withoutRoot(String written, String function) {
        int begin = 0;
        while (written.startsWith("./", begin)) {
            begin += 2;
        }
        String path = written.substring(begin);
        if (path.startsWith(SUPABASE_ROOT)) {
            return beside(path.substring(SUPABASE_ROOT.length()), function);
        }
        if (path.startsWith(ABOVE)) {
            return beside(path.substring(ABOVE.length()), function);
        }
        if (path.startsWith(ROOT)) {
            // Another folder below functions/ may as well be the function's own: the bundler looks in both places.
            String inside = path.substring(ROOT.length());
            if (inside.startsWith(function + "/") || inside.startsWith(SHARED)) {
                return beside(inside, function);
            }
        }
        return path;
    }

    /** From a path in the folder of all functions. */
    private static String beside(String path, String function) {
        if (path.startsWith(function + "/")) {
            return path.substring(function.length() + 1);
        }
        return path.startsWith(SHARED) ? path : ABOVE + path;
    }

    /** Equal for paths that some file systems treat as the same. */
    static String likeness(String path) {
        return Normalizer.normalize(path, Normalizer.Form.NFKC)
                .toUpperCase(Locale.ROOT)
                .toLowerCase(Locale.ROOT);
    }
}

package svc.management.function;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A path as a user writes it beside a function's source, in the one form that is kept: from the function's own folder, or
 * from the shared one when it begins with {@code _shared/}. Paths are keys of a map and never those of a file system; the
 * rules keep them readable and unlike each other. Pure.
 */
final class SourcePath {
    static final String SHARED = "_shared/";

    private static final int MAX_LENGTH = 255;
    /** A segment: no separator of any system, nothing that a URL reads as something else, no control character. */
    private static final Pattern SEGMENT = Pattern.compile("[^\\\\/:*?\"<>|%#\\p{Cntrl}\\p{Cs}\\p{Co}\\p{Cn}]+");

    private SourcePath() {}

    /** Either the path, or what is wrong with it. */
    record Checked(Optional<String> path, String fault) {
        static Checked fault(String text) {
            return new Checked(Optional.empty(), text);
        }
    }

    /**
     * @param written {@code util.ts}, {@code ./util.ts}, {@code _shared/x.ts}, {@code ../_shared/x.ts}, or any of them as the
     *     path in a repository: {@code functions/<name>/util.ts}, {@code supabase/functions/_shared/x.ts}
     */
    static Checked clean(String written, String function) {
        String path = withoutRoot(written, function);
        if (path.length() > MAX_LENGTH || path.isEmpty()) {
            return Checked.fault("must have 1 to " + MAX_LENGTH + " characters");
        }
        if (path.startsWith("/")) {
            return Checked.fault("must not be absolute");
        }
        for (String segment : path.split("/", -1)) {
            if (segment.equals("..") || segment.equals(".")) {
                return Checked.fault("must not contain . or .., but for ../_shared/ in front");
            }
            if (!SEGMENT.matcher(segment).matches() || !segment.strip().equals(segment)) {
                return Checked.fault("must be made of names with / between them; names hold no control character,"
                        + " no space at their ends and none of \\ : * ? \" < > | % #");
            }
        }
        if (!Normalizer.isNormalized(path, Normalizer.Form.NFC)) {
            return Checked.fault("must be in Unicode's normal form C");
        }
        return new Checked(Optional.of(path), "");
    }

    private static String withoutRoot(String written, String function) {
        String path = written;
        while (path.startsWith("./")) {
            path = path.substring(2);
        }
        for (String root : new String[] {"supabase/functions/", "functions/"}) {
            if (path.startsWith(root)) {
                String inside = path.substring(root.length());
                if (inside.startsWith(function + "/")) {
                    return inside.substring(function.length() + 1);
                }
                if (inside.startsWith(SHARED)) {
                    return inside;
                }
            }
        }
        return path.startsWith("../" + SHARED) ? path.substring("../".length()) : path;
    }

    /** Equal for paths that some file systems take for one. */
    static String likeness(String path) {
        return Normalizer.normalize(path, Normalizer.Form.NFKC)
                .toUpperCase(Locale.ROOT)
                .toLowerCase(Locale.ROOT);
    }
}

package svc.storage.name;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Locale;
import svc.storage.http.StorageError;

/** Media types that a bucket accepts: exact ones, or all of a kind, {@code image/*}. */
public final class MimeType {
    /** Without a declared type, by RFC 2046. */
    public static final String UNKNOWN = "application/octet-stream";

    private static final String TOKEN = "[A-Za-z0-9!#$&^_.+\\-]{1,127}";
    private static final Pattern TYPE = Pattern.compile(TOKEN + "/" + TOKEN);

    /** What can be sent in a header. */
    private static final Pattern SAFE = Pattern.compile("[\\x20-\\x7e]{1,256}");

    private static final Pattern PATTERN = Pattern.compile("\\*/\\*|" + TOKEN + "/(\\*|" + TOKEN + ")");

    private MimeType() {}

    /** @throws StorageError for text that is no pattern of types */
    public static String acceptedPattern(String pattern) {
        if (!PATTERN.matcher(pattern).matches()) {
            throw StorageError.invalidMimeType(pattern);
        }
        return pattern;
    }

    /**
     * @param type with parameters
     * @param patterns of which one must match; empty for any type
     * @throws StorageError when none does
     */
    public static void check(String type, List<String> patterns) {
        String essence = essence(type);
        if (!TYPE.matcher(essence).matches() || !SAFE.matcher(type).matches()) {
            throw StorageError.invalidMimeType(type);
        }
        if (!patterns.isEmpty() && patterns.stream().noneMatch(pattern -> matches(essence, pattern))) {
            throw StorageError.invalidMimeType(type);
        }
    }

    private static boolean matches(String essence, String pattern) {
        String other = essence(pattern);
        return other.equals("*/*")
                || other.equals(essence)
                || other.endsWith("/*") && essence.startsWith(other.substring(0, other.length() - 1));
    }

    private static String essence(String type) {
        int parameters = type.indexOf(';');
        return (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
    }
}

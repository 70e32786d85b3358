package svc.storage.name;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.List;
import java.util.regex.Pattern;
import svc.storage.http.StorageError;

/**
 * The name of a file: the path after its bucket. Characters of any script are accepted, where Supabase has only Latin ones,
 * and compared in Unicode's normalization form C, so that two spellings that look the same are one name.
 */
public final class ObjectName {
    /** S3's own limit. */
    public static final int MAX_BYTES = 1024;

    /** In characters. Normalization shortens UTF-8 to a third at most: what is longer is no name of {@link #MAX_BYTES}. */
    public static final int MAX_UNNORMALIZED = 3 * MAX_BYTES;

    /** Marks behind one character: the limit of Unicode's Stream-Safe Text Format (UAX #15, section 13). */
    private static final int MAX_MARKS = 30;

    /** Below it no character changes. */
    private static final char FIRST_MARK = '\u0300';

    /**
     * Of ASCII what Supabase accepts. Of all else what is no control character, no half or missing character, and does not
     * hide or reorder the text around it.
     */
    private static final Pattern ACCEPTED = Pattern.compile("(?:[\\w/!.*'() &$=@;:+,?\\-]"
            + "|[\\x{80}-\\x{10FFFF}&&[^\\p{Cc}\\p{Cs}\\p{Cn}\\p{Zl}\\p{Zp}"
            + "\\u200B\\u202A-\\u202E\\u2060-\\u206F\\uFEFF\\uFFF9-\\uFFFB]])+");

    private static final List<String> DOTS = List.of(".", "..");

    /** Supabase's dashboard makes a folder by such a file. */
    private static final String EMPTY_FOLDER = ".emptyFolderPlaceholder";

    private ObjectName() {}

    /**
     * The name as it is stored. A text that no file can have for a name stays as it is. Hazard: normalization takes the
     * square of the marks in a row, and a stranger's text of 60 KB would hold its thread for seconds.
     */
    public static String normal(String name) {
        return isNormalizable(name) ? Normalizer.normalize(name, Normalizer.Form.NFC) : name;
    }

    private static boolean isNormalizable(String name) {
        if (name.length() > MAX_UNNORMALIZED) {
            return false;
        }
        int marks = 0;
        for (int at = 0; at < name.length(); ) {
            int character = name.codePointAt(at);
            at += Character.charCount(character);
            marks = isMark(character) ? marks + 1 : 0;
            if (marks > MAX_MARKS) {
                return false;
            }
        }
        return true;
    }

    /** Every character that normalization may reorder is one. */
    private static boolean isMark(int character) {
        if (character < FIRST_MARK) {
            return false;
        }
        int type = Character.getType(character);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
    }

    /**
     * The name of a file that is to be.
     *
     * @throws StorageError for one that is not accepted
     */
    public static String accepted(String name) {
        String normal = normal(name);
        if (!isNormalizable(name)
                || normal.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES
                || !ACCEPTED.matcher(normal).matches()) {
            throw StorageError.invalidKey(shown(name));
        }
        for (String part : normal.split("/", -1)) {
            if (part.isEmpty() || DOTS.contains(part)) {
                throw StorageError.invalidKey(shown(name));
            }
        }
        return normal;
    }

    public static boolean isEmptyFolder(String name) {
        return name.equals(EMPTY_FOLDER) || name.endsWith("/" + EMPTY_FOLDER);
    }

    private static String shown(String name) {
        return name.length() <= MAX_BYTES ? name : name.substring(0, MAX_BYTES);
    }
}

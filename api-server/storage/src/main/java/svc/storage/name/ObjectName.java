package svc.storage.name;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.List;
import java.util.regex.Pattern;
import svc.storage.http.StorageError;

/**
 * The name of a file: the path after its bucket. Letters and digits of any script are accepted, where Supabase has only
 * Latin ones, and compared in Unicode's normalization form C, so that two spellings that look the same are one name.
 */
public final class ObjectName {
    /** S3's own limit. */
    private static final int MAX_BYTES = 1024;

    private static final Pattern ACCEPTED =
            Pattern.compile("[\\p{L}\\p{M}\\p{N}\\p{So}\\x{1F3FB}-\\x{1F3FF}\\x{200D}_/!.*'() &$=@;:+,?\\-]+");
    private static final List<String> DOTS = List.of(".", "..");

    /** Supabase's dashboard makes a folder by such a file. */
    private static final String EMPTY_FOLDER = ".emptyFolderPlaceholder";

    private ObjectName() {}

    /** The name as it is stored. */
    public static String normal(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFC);
    }

    /**
     * The name of a file that is to be.
     *
     * @throws StorageError for one that is not accepted
     */
    public static String accepted(String name) {
        String normal = normal(name);
        if (!ACCEPTED.matcher(normal).matches() || normal.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
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

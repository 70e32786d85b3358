package svc.database.key;

import java.util.HexFormat;

/**
 * The secrets of a project's S3 access keys, which act as the service role. A secret is derived of its key's id, so that no
 * secret is stored: a request is signed with it (HMAC), and must be recomputed to be verified. Independent of the
 * service-role key itself and of its rotations: an access key ends when its id is removed from the project.
 */
public final class S3AccessKey {
    private static final int ID_DIGITS = 32;

    /** The version of the project's leaf that access keys are made of, whatever version the service-role key has. */
    public static final int KEY_VERSION = 1;

    private static final int KEY_BYTES = 32;

    private S3AccessKey() {}

    /** Whether a text is the id of an access key: 32 hexadecimal digits in lower case, as Supabase's. */
    public static boolean isId(String text) {
        return text.length() == ID_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9' || c >= 'a' && c <= 'f');
    }

    /**
     * The secret of one access key, 64 hexadecimal digits, never to be logged.
     *
     * @param leaf of {@link Purpose#SERVICE_KEY} in version {@link #KEY_VERSION}; others are refused
     * @param id as {@link #isId} accepts it
     */
    public static String secret(DerivedKey leaf, String id) {
        if (leaf.purpose() != Purpose.SERVICE_KEY) {
            throw new IllegalArgumentException("no S3 access key is made of " + leaf.purpose());
        }
        if (!isId(id)) {
            throw new IllegalArgumentException("not the id of an S3 access key");
        }
        return HexFormat.of().formatHex(leaf.material("s3-access-key/" + id, KEY_BYTES));
    }
}

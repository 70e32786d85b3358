package svc.database.key;

import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The secrets of a project's S3 access keys, which act as the service role. A secret is derived of its key's id, so that no
 * secret is stored: a request is signed with it (HMAC), and must be recomputed to be verified. Independent of the
 * service-role key itself and of its rotations: an access key ends when its id is removed from the project.
 */
public final class S3AccessKey {
    /** Ids of access keys: 32 hexadecimal digits, as Supabase's. */
    public static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

    /** The version of the project's leaf that access keys are made of, whatever version the service-role key has. */
    public static final int KEY_VERSION = 1;

    private static final int KEY_BYTES = 32;

    private S3AccessKey() {}

    /**
     * The secret of one access key, 64 hexadecimal digits, never to be logged.
     *
     * @param leaf of {@link Purpose#SERVICE_KEY} in version {@link #KEY_VERSION}; others are refused
     * @param id as {@link #ID}
     */
    public static String secret(KeyLeaf leaf, String id) {
        if (leaf.purpose() != Purpose.SERVICE_KEY) {
            throw new IllegalArgumentException("no S3 access key is made of " + leaf.purpose());
        }
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("not the id of an S3 access key");
        }
        return HexFormat.of().formatHex(leaf.material("s3-access-key/" + id, KEY_BYTES));
    }
}

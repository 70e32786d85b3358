package svc.storage.name;

import com.google.re2j.Pattern;
import svc.storage.http.StorageError;

/** The name of a bucket, by Supabase's rule. */
public final class BucketName {
    private static final Pattern ACCEPTED = Pattern.compile("[\\w!.*'() &$=@;:+,?\\-]{1,100}");

    private BucketName() {}

    /** @throws StorageError for one that is not accepted */
    public static String accepted(String name) {
        if (!ACCEPTED.matcher(name).matches() || !name.equals(name.strip()) || name.equals(".") || name.equals("..")) {
            throw StorageError.invalidBucketName();
        }
        return name;
    }
}

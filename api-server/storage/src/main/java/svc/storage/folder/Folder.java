package svc.storage.folder;

import svc.storage.http.StorageError;
import svc.storage.name.ObjectName;

/**
 * A folder: the files whose names begin with a path and a slash. It exists as long as it has one.
 *
 * @param prefix with the slash
 */
record Folder(String bucket, String prefix) {
    /**
     * By its path, with a slash at the end or without.
     *
     * @throws StorageError for a path that no file can have; the whole bucket is no folder
     */
    static Folder of(String bucket, String path) {
        String bare = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return new Folder(bucket, ObjectName.accepted(bare) + "/");
    }

    /** What follows all names of the folder: the character after a slash. */
    String behind() {
        return prefix.substring(0, prefix.length() - 1) + "0";
    }

    /** Whether one of the two is, or lies in, the other. */
    boolean overlaps(Folder other) {
        return bucket.equals(other.bucket) && (prefix.startsWith(other.prefix) || other.prefix.startsWith(prefix));
    }
}

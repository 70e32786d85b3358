package svc.database.key;

/** The secret that signs the URLs of a project's files (HS256). */
public final class UrlTokenKey {
    private static final int KEY_BYTES = 32;

    private UrlTokenKey() {}

    /** From a leaf of {@link Purpose#SIGNING}; others are refused. 32 bytes, never to be logged. */
    public static byte[] of(DerivedKey leaf) {
        if (leaf.purpose() != Purpose.SIGNING) {
            throw new IllegalArgumentException("no key of URLs is made of " + leaf.purpose());
        }
        return leaf.material("storage-url", KEY_BYTES);
    }
}

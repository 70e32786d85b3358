package svc.graphql.request;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import svc.graphql.cache.SharedCache;

/**
 * Documents that clients name by their hash, Apollo's "automatic persisted queries": a client sends the hash alone, and the
 * document too once the answer was {@code PersistedQueryNotFound}. Kept in memory, by project, until newer ones need the
 * room; a lost one costs its client one more request.
 */
public final class PersistedQueries {
    private static final int OVERHEAD = 200;

    private record Key(String ref, String hash) {}

    private final SharedCache<Key, String> documents;

    /** @param maxBytes of all documents of all projects */
    public PersistedQueries(long maxBytes) {
        this.documents = new SharedCache<>(maxBytes, Key::ref, (key, document) -> OVERHEAD + 2 * document.length());
    }

    /** The document of a hash, in hexadecimal digits of SHA-256. */
    Optional<String> find(String ref, String hash) {
        return documents.getIfPresent(new Key(ref, hash));
    }

    /** Keeps a document that is no longer than the limits allow; false if the hash is another one's. */
    boolean keep(String ref, String hash, String document) {
        if (!sha256(document).equals(hash)) {
            return false;
        }
        if (document.length() <= GraphqlLimits.MAX_CHARACTERS) {
            documents.put(new Key(ref, hash), document);
        }
        return true;
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

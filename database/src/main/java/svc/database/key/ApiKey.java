package svc.database.key;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.OptionalInt;

/**
 * The anon and service keys of a project: {@code svc_anon_…} and {@code svc_service_…}. A key does not name its project:
 * the host does, and the key only has to be the one that this project derives.
 */
public final class ApiKey {
    private ApiKey() {}

    /** The key's text. The leaf's purpose decides which of the two it is; others are refused. */
    public static String of(DerivedKey leaf) {
        return kind(leaf.purpose()).format().encode(leaf.material("api-key", Derivation.KEY_BYTES));
    }

    /**
     * Which version of a project's key was presented; empty when none of the accepted ones was.
     *
     * <p>During a rotation both the new version and the one before it are accepted, and the answer says which one came, so
     * that a client that still uses the old key can be found before the overlap ends. Garbage costs a checksum only. The
     * comparison reads every accepted version in full and takes as long for a wrong key as for a right one.
     *
     * @param root of {@link Purpose#ANON_KEY} or {@link Purpose#SERVICE_KEY}
     * @param scope the project; its own key version is ignored
     * @param acceptedVersions the currently accepted versions
     */
    public static OptionalInt matchingVersion(
            String presented, PurposeRoot root, ProjectKeyScope scope, Collection<Integer> acceptedVersions) {
        if (!kind(root.purpose()).format().accepts(presented)) {
            return OptionalInt.empty();
        }
        byte[] given = presented.getBytes(StandardCharsets.UTF_8);
        OptionalInt match = OptionalInt.empty();
        for (int version : acceptedVersions) {
            byte[] expected = of(root.leaf(scope.withKeyVersion(version))).getBytes(StandardCharsets.UTF_8);
            if (MessageDigest.isEqual(given, expected)) {
                match = OptionalInt.of(version);
            }
        }
        return match;
    }

    private static KeyKind kind(Purpose purpose) {
        return switch (purpose) {
            case ANON_KEY -> KeyKind.ANON;
            case SERVICE_KEY -> KeyKind.SERVICE;
            default -> throw new IllegalArgumentException("no API key is made of " + purpose);
        };
    }
}

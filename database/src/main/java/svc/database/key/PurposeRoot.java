package svc.database.key;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The secret of one purpose under one master key: gives the leaves of that purpose, for every project, and nothing else.
 * {@link #export()} is its form for a Kubernetes Secret or an environment variable.
 */
public sealed class PurposeRoot permits HeldLeaves {
    private static final Pattern PRINTABLE = Pattern.compile("(svc_root_([a-z-]+)_([1-9][0-9]{0,8})_)[0-9A-Za-z]+");

    private final Purpose purpose;
    private final int masterVersion;
    private final SecretBytes secret;

    PurposeRoot(Purpose purpose, int masterVersion, SecretBytes secret) {
        this.purpose = purpose;
        this.masterVersion = masterVersion;
        this.secret = secret;
    }

    /** Reads {@link #export()}; empty for anything else, a mistyped character included. */
    public static Optional<PurposeRoot> parse(String text) {
        Matcher matcher = PRINTABLE.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return Purpose.ofLabel(matcher.group(2))
                .flatMap(purpose -> new ChecksummedText(matcher.group(1))
                        .decode(text)
                        .map(bytes ->
                                new PurposeRoot(purpose, Integer.parseInt(matcher.group(3)), new SecretBytes(bytes))));
    }

    public Purpose purpose() {
        return purpose;
    }

    public int masterVersion() {
        return masterVersion;
    }

    /** The leaf of one project; refused for a purpose of the platform. */
    public DerivedKey leaf(ProjectKeyScope scope) {
        if (purpose.ofPlatform()) {
            throw new IllegalArgumentException(purpose + " has no leaf per project");
        }
        return leaf("project", scope.fixedFields());
    }

    /**
     * The leaf of the platform itself; refused for a purpose of projects.
     *
     * @param keyVersion 1 or higher
     */
    public DerivedKey platformLeaf(int keyVersion) {
        if (!purpose.ofPlatform() || keyVersion < 1) {
            throw new IllegalArgumentException(purpose + " has no platform leaf of version " + keyVersion);
        }
        return leaf(
                "platform",
                ByteBuffer.allocate(Integer.BYTES).putInt(keyVersion).flip());
    }

    private DerivedKey leaf(String step, ByteBuffer fields) {
        byte[] leaf = Derivation.derive(secret.copy(), step, purpose, fields, Derivation.KEY_BYTES);
        return new DerivedKey(purpose, new SecretBytes(leaf));
    }

    /** {@code svc_root_<purpose>_<master version>_<secret and checksum>}. A secret. */
    public String export() {
        return new ChecksummedText("svc_root_" + purpose.label() + "_" + masterVersion + "_").encode(secret.copy());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PurposeRoot that
                && purpose == that.purpose
                && masterVersion == that.masterVersion
                && secret.equals(that.secret);
    }

    @Override
    public int hashCode() {
        return 31 * purpose.hashCode() + masterVersion;
    }

    @Override
    public String toString() {
        return "PurposeRoot[" + purpose + ", master key " + masterVersion + "]";
    }
}

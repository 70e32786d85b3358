package svc.database.key;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A leaf of the key hierarchy: the key of one purpose of one project (or of the platform), in one version. A realtime
 * sidecar gets leaves instead of a root. {@link LoginSecret}, {@link ApiKey}, {@link SigningKey} and {@link ChannelName}
 * are made of it.
 */
public final class DerivedKey {
    private static final Pattern PRINTABLE = Pattern.compile("(svc_leaf_([a-z-]+)_)[0-9A-Za-z]+");

    private final Purpose purpose;
    private final SecretBytes secret;

    DerivedKey(Purpose purpose, SecretBytes secret) {
        this.purpose = purpose;
        this.secret = secret;
    }

    /** Reads {@link #export()}; empty for anything else. */
    public static Optional<DerivedKey> parse(String text) {
        Matcher matcher = PRINTABLE.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return Purpose.ofLabel(matcher.group(2))
                .flatMap(purpose -> new ChecksummedText(matcher.group(1))
                        .decode(text)
                        .map(bytes -> new DerivedKey(purpose, new SecretBytes(bytes))));
    }

    public Purpose purpose() {
        return purpose;
    }

    /** Key material for one use; the uses of one leaf are independent of each other. */
    byte[] material(String use, int length) {
        return Derivation.derive(secret.copy(), use, purpose, ByteBuffer.allocate(0), length);
    }

    /** {@code svc_leaf_<purpose>_<secret and checksum>}. A secret. */
    public String export() {
        return new ChecksummedText("svc_leaf_" + purpose.label() + "_").encode(secret.copy());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DerivedKey that && purpose == that.purpose && secret.equals(that.secret);
    }

    @Override
    public int hashCode() {
        return purpose.hashCode();
    }

    @Override
    public String toString() {
        return "DerivedKey[" + purpose + "]";
    }
}

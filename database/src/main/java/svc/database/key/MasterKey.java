package svc.database.key;

import java.nio.ByteBuffer;

/** The platform's key of one version, from which everything is derived. Only the operator holds it, and on one machine the process that is everything. */
public final class MasterKey {
    private final int version;
    private final SecretBytes secret;

    private MasterKey(int version, SecretBytes secret) {
        this.version = version;
        this.secret = secret;
    }

    /**
     * @param version 1 or higher; recorded with each project, so a version must never be given to another secret
     * @param secret at least 32 bytes from a cryptographic random source
     */
    public static MasterKey of(int version, byte[] secret) {
        if (version < 1) {
            throw new IllegalArgumentException("a master key's version is 1 or higher");
        }
        return new MasterKey(version, new SecretBytes(secret));
    }

    public int version() {
        return version;
    }

    /** What a pod that serves this purpose for every project receives. */
    public PurposeRoot root(Purpose purpose) {
        ByteBuffer fields = ByteBuffer.allocate(Integer.BYTES).putInt(version).flip();
        byte[] root = Derivation.derive(secret.copy(), "root", purpose, fields, Derivation.KEY_BYTES);
        return new PurposeRoot(purpose, version, new SecretBytes(root));
    }

    @Override
    public String toString() {
        return "MasterKey[version=" + version + "]";
    }
}

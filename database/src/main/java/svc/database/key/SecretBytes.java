package svc.database.key;

import java.security.MessageDigest;

/** 32 or more secret bytes: copied in and out, compared in constant time, never printed. */
final class SecretBytes {
    private final byte[] bytes;

    SecretBytes(byte[] bytes) {
        if (bytes.length < Derivation.KEY_BYTES) {
            throw new IllegalArgumentException(
                    "a key has at least " + Derivation.KEY_BYTES + " bytes, this one has " + bytes.length);
        }
        this.bytes = bytes.clone();
    }

    byte[] copy() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SecretBytes that && MessageDigest.isEqual(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        // Equal hashes are allowed; one made of the bytes would leave them in heap dumps of hash tables.
        return bytes.length;
    }

    @Override
    public String toString() {
        return "***";
    }
}

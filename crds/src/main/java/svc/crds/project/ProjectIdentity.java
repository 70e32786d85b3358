package svc.crds.project;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.UUID;

/**
 * The identity of a project: the id from which the names of its schema and its keys are derived, and the ref in its host name.
 *
 * <p>Absent fields are derived from namespace and name alone, so that the same manifest always means the same
 * project, also after a restore of the cluster. Pure: the registry in the database decides whether an identity is free.
 */
public record ProjectIdentity(String ref, UUID projectId) {

    /** The namespace UUID of ids derived from "namespace/name". Part of every derived identity: never change it. */
    private static final UUID DERIVED_IDS = UUID.fromString("6f0c7b7e-51f5-4d0e-9a43-8c1f5c3a2e90");

    private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int REF_LENGTH = 8;

    public static ProjectIdentity of(String namespace, String name, Optional<String> ref, Optional<UUID> projectId) {
        UUID id = projectId.orElseGet(() -> derivedId(namespace + "/" + name));
        return new ProjectIdentity(ref.orElseGet(() -> derivedRef(id)), id);
    }

    /** The identity of a Project object with namespace and name. */
    public static ProjectIdentity of(Project project) {
        return of(
                project.getMetadata().getNamespace(),
                project.getMetadata().getName(),
                Optional.ofNullable(project.getSpec().ref()),
                Optional.ofNullable(project.getSpec().projectId()).map(UUID::fromString));
    }

    /** A name-based UUID of version 5 (RFC 9562, section 5.5). */
    private static UUID derivedId(String name) {
        MessageDigest sha1 = digest("SHA-1");
        sha1.update(ByteBuffer.allocate(16)
                .putLong(DERIVED_IDS.getMostSignificantBits())
                .putLong(DERIVED_IDS.getLeastSignificantBits())
                .flip());
        ByteBuffer hash = ByteBuffer.wrap(sha1.digest(name.getBytes(StandardCharsets.UTF_8)));
        long most = (hash.getLong() & 0xffff_ffff_ffff_0fffL) | 0x5000L;
        long least = (hash.getLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(most, least);
    }

    /**
     * The first eight characters that begin with a letter in the base32 of SHA-256 of the id's text. If a hash has none,
     * the hash of the hash is used.
     */
    private static String derivedRef(UUID projectId) {
        byte[] hash = digest("SHA-256").digest(projectId.toString().getBytes(StandardCharsets.US_ASCII));
        while (true) {
            String text = base32(hash);
            for (int start = 0; start + REF_LENGTH <= text.length(); start++) {
                if (Character.isLetter(text.charAt(start))) {
                    return text.substring(start, start + REF_LENGTH);
                }
            }
            hash = digest("SHA-256").digest(hash);
        }
    }

    /** RFC 4648, section 6, in lower case and without the padding; an incomplete last group is left out. */
    private static String base32(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        int buffer = 0;
        int bits = 0;
        for (byte octet : bytes) {
            buffer = (buffer << 8 | octet & 0xff) & 0xfff;
            bits += 8;
            while (bits >= 5) {
                bits -= 5;
                text.append(BASE32.charAt(buffer >>> bits & 0x1f));
            }
        }
        return text.toString();
    }

    private static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }
}

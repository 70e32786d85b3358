package svc.management.audit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.UUID;

/**
 * A request to run SQL in a project; or another call, whose {@code sql} says in words what it did.
 *
 * @param projectId null, as {@code ref} is, for a call that is about no project
 * @param address of the client, if it is known
 * @param role of a caller of the API that the script runs in; empty for the owner
 */
public record SqlCall(
        UUID projectId,
        String ref,
        String organization,
        Actor actor,
        String requestId,
        Optional<String> address,
        String sql,
        Optional<String> role) {
    /** The same caller's with another text. */
    public SqlCall with(String text) {
        return new SqlCall(projectId, ref, organization, actor, requestId, address, text, role);
    }

    /** The same in the role of a caller. */
    public SqlCall as(String other) {
        return new SqlCall(projectId, ref, organization, actor, requestId, address, sql, Optional.of(other));
    }

    int textBytes() {
        return sql.getBytes(StandardCharsets.UTF_8).length;
    }

    byte[] textHash() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(sql.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    /** Without the text, which may contain secrets. */
    @Override
    public String toString() {
        return "SqlCall[" + ref + ", " + actor + ", " + requestId + "]";
    }
}

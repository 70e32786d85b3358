package svc.functions.log;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/** The Redis key of one function's log: begins with the project's id, and the name is hashed (DESIGN §4, rule 8). */
record LogKey(UUID projectId, String function) {
    String text() {
        return projectId + ":functions:" + HexFormat.of().formatHex(sha256(function)) + ":log";
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

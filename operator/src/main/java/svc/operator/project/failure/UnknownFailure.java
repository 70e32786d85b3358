package svc.operator.project.failure;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A bug of the operator. The condition, the Event and the log line have the same id, and it is the same at each retry: an id
 * that changed would change the status each time, and would be a different one in the condition and in the latest log line.
 * Shows no text of the exception, which may contain values. Pure.
 *
 * @param id of the place in the code: a digest of the classes and lines of the causes, in hex
 * @param cause the class of the innermost exception
 */
record UnknownFailure(String id, String cause) {
    private static final int ID_BYTES = 6;

    /** Of each exception: what is below differs between threads. */
    private static final int MAX_FRAMES = 8;

    private static final int MAX_NAME_CHARS = 120;

    static UnknownFailure of(Throwable thrown) {
        MessageDigest digest = sha256();
        Throwable innermost = thrown;
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < FailureMapper.MAX_CAUSES; depth++) {
            add(digest, cause.getClass().getName());
            StackTraceElement[] frames = cause.getStackTrace();
            for (int i = 0; i < Math.min(frames.length, MAX_FRAMES); i++) {
                add(digest, frames[i].getClassName());
                add(digest, frames[i].getMethodName());
                digest.update(ByteBuffer.allocate(Integer.BYTES)
                        .putInt(frames[i].getLineNumber())
                        .array());
            }
            innermost = cause;
            cause = cause.getCause();
        }
        return new UnknownFailure(
                HexFormat.of().formatHex(digest.digest(), 0, ID_BYTES),
                innermost == null ? "no exception" : name(innermost.getClass()));
    }

    /** For conditions, Events and the log. */
    String message() {
        return "The operator failed with " + cause + ", id " + id
                + ": report it with the lines of the operator's log that have this id.";
    }

    private static String name(Class<?> type) {
        String name = type.getName();
        return name.substring(0, Math.min(name.length(), MAX_NAME_CHARS));
    }

    private static void add(MessageDigest digest, String text) {
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

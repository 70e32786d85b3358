package svc.storage.s3.command;

import java.time.temporal.ChronoUnit;
import java.util.Optional;
import svc.storage.object.Conditions;
import svc.storage.rows.ObjectRow;
import svc.storage.s3.xml.S3Error;

/** Conditions on an object that must hold (RFC 9110, 13.1), of a request itself or of the source of a copy. */
final class Preconditions {
    private Preconditions() {}

    /** {@code If-Match} and {@code If-Unmodified-Since}, of which the first decides where both are given. */
    static void require(S3Call call, ObjectRow row) {
        requireUnchanged(call, "", row);
    }

    /** The four of {@code x-amz-copy-source-if-…}. */
    static void requireOfSource(S3Call call, ObjectRow row) {
        String prefix = "x-amz-copy-source-";
        requireUnchanged(call, prefix, row);
        Optional<String> others = call.header(prefix + "if-none-match");
        boolean known = others.isPresent()
                ? Conditions.matches(others.get(), row.etag())
                : call.header(prefix + "if-modified-since")
                        .flatMap(Conditions::parse)
                        .filter(since ->
                                !row.modified().truncatedTo(ChronoUnit.SECONDS).isAfter(since))
                        .isPresent();
        if (known) {
            throw S3Error.preconditionFailed();
        }
    }

    private static void requireUnchanged(S3Call call, String prefix, ObjectRow row) {
        Optional<String> tags = call.header(prefix + "if-match");
        boolean holds = tags.isPresent()
                ? Conditions.matches(quoted(tags.get()), row.etag())
                : call.header(prefix + "if-unmodified-since")
                        .flatMap(Conditions::parse)
                        .filter(since ->
                                row.modified().truncatedTo(ChronoUnit.SECONDS).isAfter(since))
                        .isEmpty();
        if (!holds) {
            throw S3Error.preconditionFailed();
        }
    }

    /** Some clients leave the quotes of a single tag out. */
    private static String quoted(String tags) {
        String bare = tags.strip();
        return bare.contains("\"") || bare.equals("*") ? bare : "\"" + bare + "\"";
    }

    /**
     * Whether a write may replace an object: not with {@code If-None-Match: *}.
     *
     * @throws S3Error for another condition on a write, which is not supported
     */
    static boolean mayReplace(S3Call call) {
        if (call.header("if-match").isPresent()
                || call.header("if-none-match")
                        .filter(tags -> !tags.equals("*"))
                        .isPresent()) {
            throw S3Error.notImplemented("A write supports the condition If-None-Match: * alone.");
        }
        return call.header("if-none-match").isEmpty();
    }
}
